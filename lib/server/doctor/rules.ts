import type { DoctorFinding } from "@/lib/wire/doctor";

/**
 * Everything that the doctor looks for, in the order in which it tells. The second group are the validation
 * rules of the format's oldest description; where today's clients break one, the title says it neutrally.
 */
export const RULES = {
  unreadable: ["error", "Unreadable bytes"],
  salvaged: ["warning", "Records saved from damaged lines"],
  "unfinished-line": ["info", "Files whose last line has no newline"],
  "invalid-utf8": ["warning", "Lines that are not valid UTF-8"],
  "lone-surrogate": ["info", "Lines with half a surrogate pair"],
  "byte-order-mark": ["info", "Files that start with a byte order mark"],
  "carriage-return": ["info", "Lines that end in CR LF"],
  deep: ["warning", "Lines nested deeper than 256 levels"],
  "unknown-type": ["warning", "Records of a type that is not known"],
  "unknown-block": ["warning", "Content blocks of a type that is not known"],
  "required-fields": ["warning", "Messages without a required field"],
  "wrong-type": ["warning", "Fields of another type than they should have"],
  "duplicate-uuid": ["warning", "UUIDs that occur twice in a session"],
  "dangling-parent": ["warning", "Parents that are not in the session"],
  "parent-cycle": ["error", "Parents that lead back to their child"],
  "dangling-boundary": ["info", "Compactions whose last message is not in the session"],
  "result-without-call": ["warning", "Results whose call is not in the session"],
  "result-before-call": ["info", "Results that come before their call"],
  "call-without-result": ["info", "Calls without a result"],
  "several-results": ["info", "Calls with more than one result"],
  "sidechain-mark": ["warning", "Lines of an agent's file that are not marked as a sidechain"],
  "content-shape": ["warning", "Messages whose content is neither text nor blocks"],
  "image-encoding": ["warning", "Images that are not base64 of a known type"],
} as const satisfies Record<string, readonly [DoctorFinding["level"], string]>;

export type Rule = keyof typeof RULES;

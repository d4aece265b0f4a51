import { asObject, type JsonObject } from "./json";
import type { NamedLine } from "./upgrade-legacy";

declare const wrapped: unique symbol;

/** A line whose content, where it has any, stands in `message`. */
export type MessageLine = NamedLine & { readonly [wrapped]?: true };

/** Lines that carry `content` beside `type` instead of inside `message`, as system lines do and some user lines once did. */
export function withMessage(line: NamedLine): MessageLine {
  if (line.type !== "user" && line.type !== "assistant") return line;
  if (asObject(line.message) || line.content === undefined) return line;
  return { ...line, message: { role: line.type, content: line.content } satisfies JsonObject };
}

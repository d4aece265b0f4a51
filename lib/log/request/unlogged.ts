import type { SessionRecord } from "@/lib/log/records/session-record";
import { type SentMessage, textBlock } from "./sent-message";

/**
 * Messages that the client sent and did not log. An answer that stands directly below another one
 * shows that something went between them.
 */

/** 2.1.29, 2.1.42: after an answer that an API-error line ended. Only its beginning is known. */
const CUT_OFF = "Your response was cut off because it exceeded…";
/** 2.1.220: after an answer that ran into its token limit. 2.1.330 logs it. Only its beginning is given. */
const LIMIT_HIT = "Output token limit hit. Resume directly…";

/** The answer that stands above, and what lies between it and the next. */
export type Above = { firstText: string; stopReason: string | null; apiErrorBetween: boolean };

/** What to do between two answers: drop the upper one (a broken attempt), put a text in, or nothing. */
export function betweenAnswers(above: Above, firstText: string): "drop" | SentMessage | null {
  // 2.1.29, 2.1.42: a stream that broke is tried again, and the attempt stays in the log.
  if (firstText !== "" && firstText === above.firstText) return "drop";
  if (above.apiErrorBetween) return { role: "user", content: [textBlock(CUT_OFF)] };
  if (above.stopReason === "max_tokens") return { role: "user", content: [textBlock(LIMIT_HIT)] };
  return null;
}

/** The first text of an answer's line, "" if it has none. */
export function firstTextOf(record: SessionRecord | null): string {
  if (record?.kind !== "assistant") return "";
  return record.blocks.find((block) => block.kind === "text")?.text ?? "";
}

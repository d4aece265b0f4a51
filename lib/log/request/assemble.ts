import { asObject, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionTable } from "@/lib/log/table/session-table";
import { type SentMessage, sentBy, textBlock } from "./sent-message";
import { isAnswer, isApiError } from "./walk-chain";

/** One record's part of a request. `record` is -1 for a message that the client sent and did not log. */
export type SentPart = { record: number; message: SentMessage };

type RequestParts = {
  table: SessionTable;
  /** The records of the request, complete and in the order sent. */
  sent: readonly number[];
  /** The answer that the request produced, or -1 where the request ends with the last record. */
  answer: number;
  read: (record: number) => SessionRecord | null;
  /** The prompt that is missing in a sub-agent's file (2.0.42, 2.0.50). */
  opening: string | null;
  /** Texts from the queue that were sent with this request only (2.0.42–2.0.76). */
  queued: readonly string[];
};

/** The parts of a request in order, before neighbours are merged. */
export function assembleParts({ table, sent, answer, read, opening, queued }: RequestParts): SentPart[] {
  const parts: SentPart[] = [];
  if (opening !== null) parts.push({ record: -1, message: { role: "user", content: [textBlock(opening)] } });
  /** The answer above and where its parts begin, while nothing else has been sent since. */
  let above: (Above & { message: number; from: number }) | null = null;
  const cleared = clearedBefore(table, sent);
  for (const [place, record] of (answer === -1 ? sent : [...sent, answer]).entries()) {
    if (isApiError(table, record)) {
      if (above) above.apiErrorBetween = true;
      continue;
    }
    const logged = read(record);
    const message = logged ? sentBy(logged) : null;
    if (!isAnswer(table, record)) {
      // 2.1.280: a notification that is sent as a reminder still separates two answers.
      if (logged?.kind === "user" || (message?.content.length ?? 0) > 0) above = null;
      if (!message) continue;
      const content = place < cleared ? message.content.map(withoutMedia) : message.content;
      parts.push({ record, message: { ...message, content } });
      continue;
    }
    const id = table.records.message.at(record);
    if (!above || above.message !== id) {
      const firstText = firstTextOf(logged);
      const between = above ? betweenAnswers(above, firstText) : null;
      if (between === "drop" && above) parts.splice(above.from);
      else if (between && between !== "drop") parts.push({ record: -1, message: between });
      else if (above && record === answer)
        parts.push(
          ...queued.map((text) => ({
            record: -1,
            message: { role: "user" as const, content: [textBlock(text)] },
          })),
        );
      above = { message: id, from: parts.length, firstText, stopReason: null, apiErrorBetween: false };
    }
    if (logged?.kind === "assistant") above.stopReason = logged.stopReason ?? above.stopReason;
    if (record !== answer && message) parts.push({ record, message });
  }
  return parts;
}

/**
 * 2.1.42 replaces images older than a micro-compaction by a word: those of records before this place in what is sent. Its
 * own lists of what it cleared are empty.
 */
function clearedBefore({ records, types }: SessionTable, sent: readonly number[]): number {
  const type = types.list.indexOf("system/microcompact_boundary");
  return type === -1 ? -1 : sent.findLastIndex((record) => records.type.at(record) === type);
}

function withoutMedia(block: JsonObject): JsonObject {
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return wordOfMedia(block);
  return { ...block, content: block.content.map((one) => wordOfMedia(asObject(one) ?? one)) };
}

function wordOfMedia(block: JsonObject): JsonObject {
  return block.type === "image" || block.type === "document" ? textBlock(`[${block.type}]`) : block;
}

/**
 * Messages that the client sent and did not log. An answer directly below another one
 * shows that something was sent between them.
 */

/** 2.1.29, 2.1.42: after an answer that an API-error line ended. Only its beginning is known. */
const CUT_OFF = "Your response was cut off because it exceeded…";
/** 2.1.220: after an answer that reached its token limit. 2.1.330 logs it. Only its beginning is given. */
const LIMIT_HIT = "Output token limit hit. Resume directly…";

/** The answer above, and whether there is an API error between it and the next. */
export type Above = { firstText: string; stopReason: string | null; apiErrorBetween: boolean };

/** What to do between two answers: drop the upper one (a retried message), insert a text, or nothing. */
function betweenAnswers(above: Above, firstText: string): "drop" | SentMessage | null {
  // 2.1.29, 2.1.42: a broken stream is retried, and the first attempt stays in the log.
  if (firstText !== "" && firstText === above.firstText) return "drop";
  if (above.apiErrorBetween) return { role: "user", content: [textBlock(CUT_OFF)] };
  if (above.stopReason === "max_tokens") return { role: "user", content: [textBlock(LIMIT_HIT)] };
  return null;
}

/** The first text of an answer's line, "" if it has none. */
function firstTextOf(record: SessionRecord | null): string {
  if (record?.kind !== "assistant") return "";
  return record.blocks.find((block) => block.kind === "text")?.text ?? "";
}

/** A message of a request and the records it was made from, each listed once. */
export type MergedMessage = { message: SentMessage; records: number[] };

/** Merges neighbours of one role. In a user message results come first, as the API requires. */
export function mergeParts(parts: readonly SentPart[]): MergedMessage[] {
  const merged: { message: SentMessage; records: Set<number> }[] = [];
  for (const { record, message } of parts) {
    if (message.content.length === 0) continue;
    let last = merged.at(-1);
    if (last?.message.role !== message.role) {
      last = { message: { role: message.role, content: [] }, records: new Set() };
      merged.push(last);
    }
    for (const block of message.content) last.message.content.push(block);
    if (record !== -1) last.records.add(record);
  }
  for (const { message } of merged) {
    if (message.role !== "user") continue;
    const isResult = (block: SentMessage["content"][number]) => block.type === "tool_result";
    message.content = [
      ...message.content.filter(isResult),
      ...message.content.filter((block) => !isResult(block)),
    ];
  }
  return merged.map(({ message, records }) => ({ message, records: [...records] }));
}

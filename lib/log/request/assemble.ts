import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionTable } from "@/lib/log/table/session-table";
import { type SentMessage, sentBy, textBlock } from "./sent-message";
import { type Above, betweenAnswers, firstTextOf } from "./unlogged";
import { isAnswer, isApiError } from "./walk-chain";

/** One record's share of a request. `record` is -1 for what the client sent and did not log. */
export type SentPart = { record: number; message: SentMessage };

export type RequestParts = {
  table: SessionTable;
  /** Complete, in the order sent. */
  sent: readonly number[];
  /** The answer that the request produced, or -1 where the request ends with the last record. */
  answer: number;
  read(record: number): SessionRecord | null;
  /** Texts that a sub-agent's file does not have: its prompt (2.0.42, 2.0.50). */
  opening: string | null;
  /** Texts from the queue that went out with this request alone (2.0.42–2.0.76). */
  queued: readonly string[];
};

/** The parts of a request in order, before neighbours are merged. */
export function assembleParts({ table, sent, answer, read, opening, queued }: RequestParts): SentPart[] {
  const parts: SentPart[] = [];
  if (opening !== null) parts.push({ record: -1, message: { role: "user", content: [textBlock(opening)] } });
  /** Where the parts of the answer above begin, while nothing else has been sent since. */
  let above: (Above & { message: number; from: number }) | null = null;
  for (const record of answer === -1 ? sent : [...sent, answer]) {
    if (isApiError(table, record)) {
      if (above) above.apiErrorBetween = true;
      continue;
    }
    const logged = read(record);
    const message = logged ? sentBy(logged) : null;
    if (!isAnswer(table, record)) {
      // 2.1.280: a notification that is sent as a reminder stands between two answers all the same.
      if (logged?.kind === "user" || (message?.content.length ?? 0) > 0) above = null;
      if (!message) continue;
      parts.push({ record, message: clearedImages(table, record, answer, message) });
      continue;
    }
    const id = table.records.get("message", record);
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

/** 2.1.42 turns images older than a micro-compaction into a word. Its own lists of what it cleared are empty. */
function clearedImages(
  table: SessionTable,
  record: number,
  answer: number,
  message: SentMessage,
): SentMessage {
  const { records, types } = table;
  const end = answer === -1 ? records.size : answer;
  const type = types.list.indexOf("system/microcompact_boundary");
  if (type === -1) return message;
  const file = records.get("file", record);
  for (let later = record + 1; later < end; later++) {
    if (records.get("type", later) !== type || records.get("file", later) !== file) continue;
    return { ...message, content: message.content.map(withoutMedia) };
  }
  return message;
}

function withoutMedia(block: SentMessage["content"][number]): SentMessage["content"][number] {
  if (block.type === "image" || block.type === "document") return textBlock(`[${block.type}]`);
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
  return { ...block, content: block.content.map(withoutMedia) };
}

import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { isAnswer, type RequestIndex } from "./walk-chain";

const NONE = -1;

/**
 * An answer in whose middle a session was resumed. `place`: that of its last line, or result, that was sent. `unanswered`: of
 * its lines that were sent, those with calls whose results were not, each with the indexes of these calls' blocks.
 */
export type CutAnswer = { place: number; unanswered: ReadonlyMap<number, readonly number[]> };

/**
 * Leaves out what a client that resumed the session at a line does not send (`--resume-session-at`, 2.1.179, 2.1.332): where
 * that is in the middle of an answer, its later lines and the results behind it. The client sends them again once another
 * one resumes the session, which is taken to be so where the last prompt is a later one.
 * @param sent the records of a request in the order sent, each answer whole
 */
export function cutAtResume(
  table: SessionTable,
  index: RequestIndex,
  sent: readonly number[],
): { sent: number[]; cut: CutAnswer | null } {
  const whole = { sent: [...sent], cut: null };
  const { records, types } = table;
  const prompt = sent.findLastIndex((record) => records.kind.at(record) === RecordKind.prompt);
  const typed = sent[prompt];
  // A prompt from the queue is an attachment, in the middle of a turn.
  if (typed === undefined || types.at(records.type.at(typed)) !== "user") return whole;
  const from = index.find(records.parent.at(typed), typed, false);
  const place = from === NONE ? -1 : sent.lastIndexOf(from, prompt);
  const left = place === -1 ? [] : sent.slice(place + 1, prompt);
  const kept = sent.slice(0, place + 1);
  const answer = kept.findLast((record) => isAnswer(table, record));
  if (left.length === 0 || answer === undefined) return whole;
  const message = records.message.at(answer);
  const last = left.reduce((one, other) => Math.max(one, other), from);
  if (!hasGoneOn(table, message, last, typed)) return whole;
  return {
    sent: [...kept, ...sent.slice(prompt)],
    cut: { place, unanswered: unansweredCalls(table, index, kept, message) },
  };
}

/** Whether the conversation went on after an answer, between two lines of a file: then the later one went back. */
function hasGoneOn({ records }: SessionTable, message: number, from: number, to: number): boolean {
  const file = records.file.at(to);
  for (let record = to - 1; record > from; record--) {
    if (records.file.at(record) !== file) continue;
    const kind = records.kind.at(record);
    if (kind === RecordKind.prompt) return true;
    if (kind === RecordKind.assistant && records.message.at(record) !== message) return true;
  }
  return false;
}

/** The calls of an answer among these records whose results are not among them. */
function unansweredCalls(
  { blocks, calls, records, furtherResults }: SessionTable,
  index: RequestIndex,
  kept: readonly number[],
  message: number,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const isKept = new Set(kept);
  for (const record of kept) {
    if (records.message.at(record) !== message) continue;
    for (const call of index.callsOf(record)) {
      let isAnswered = false;
      for (let block = calls.result.at(call); block !== NONE; block = furtherResults.after(block))
        isAnswered ||= isKept.has(blocks.record.at(block));
      const use = calls.use.at(call);
      if (isAnswered || use === NONE || blocks.record.at(use) !== record) continue;
      found.set(record, [...(found.get(record) ?? []), blocks.index.at(use)]);
    }
  }
  return found;
}

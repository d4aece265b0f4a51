import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { RequestIndex } from "./request-index";

const NONE = -1;

/**
 * The records that lead to an answer (or to any other record, which is then the last), oldest first:
 * up the parents to the start or to the last compaction boundary, which is included. What stands
 * before a boundary was not sent again.
 * @param withAnswer keeps the answer itself: what would be sent next
 */
export function walkChain(
  table: SessionTable,
  index: RequestIndex,
  start: number,
  withAnswer = false,
): number[] {
  const { records } = table;
  const message = isAnswer(table, start) && !withAnswer ? records.get("message", start) : NONE;
  let chain: number[] = [];
  for (const record of walkUp(table, index, start)) {
    // An answer's own earlier blocks, and results of tools that ran while it streamed, are not in its prompt.
    if (message !== NONE && records.get("message", record) === message) chain = [];
    else chain.push(record);
  }
  return chain.reverse();
}

/**
 * The record at the top of a walk up whose line names a parent that no file of the session has, -1 for none: the
 * history before it may stand in another session (2.0.0).
 */
export function danglingTop(table: SessionTable, index: RequestIndex, start: number): number {
  const { records } = table;
  let top = NONE;
  for (const record of walkUp(table, index, start)) {
    if (isSpacer(table, record)) return NONE;
    top = record;
  }
  if (top === NONE || records.get("kind", top) === RecordKind.compactBoundary) return NONE;
  const parent = records.get("parent", top);
  return parent !== NONE && index.find(parent, top, false) === NONE ? top : NONE;
}

/** A record and all above it up to the start or the last compaction boundary. */
function* walkUp(table: SessionTable, index: RequestIndex, start: number): Generator<number> {
  const { records } = table;
  let ownFileOnly = false;
  const seen = new Set<number>();
  for (let record = start; record !== NONE && !seen.has(record); ) {
    seen.add(record);
    yield record;
    const before = index.laterCommands.get(record);
    if (before !== undefined) {
      // The caveat is sent again ahead of each of its commands.
      yield index.find(records.get("parent", record), record, true);
      record = before;
      continue;
    }
    if (records.get("kind", record) === RecordKind.compactBoundary) return;
    // The real client loses the history before "No response requested." when it lies in another file (2.1.29).
    if (isSpacer(table, record)) ownFileOnly = true;
    record = index.find(records.get("parent", record), record, ownFileOnly);
  }
}

/** A line of an answer: by the model, or made by the client in its name. */
export function isAnswer({ records }: SessionTable, record: number): boolean {
  const kind = records.get("kind", record);
  return kind === RecordKind.assistant || kind === RecordKind.synthetic;
}

/** A line that says an API request failed. It is shown and never sent. */
export function isApiError({ records }: SessionTable, record: number): boolean {
  return (records.get("flags", record) & Flag.apiError) !== 0;
}

/** "No response requested.": what the client puts where a resumed session ended on a user line. */
function isSpacer(table: SessionTable, record: number): boolean {
  return table.records.get("kind", record) === RecordKind.synthetic && !isApiError(table, record);
}

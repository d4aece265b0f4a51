import { Flag, RecordKind } from "../kinds";
import type { SessionTable } from "../session-table";
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
  let ownFileOnly = false;
  const seen = new Set<number>();
  for (let record = start; record !== NONE && !seen.has(record); ) {
    seen.add(record);
    const before = index.laterCommands.get(record);
    if (before !== undefined) {
      // The caveat is sent again ahead of each of its commands.
      chain.push(record, index.find(records.get("parent", record), record, true));
      record = before;
      continue;
    }
    // An answer's own earlier blocks, and results of tools that ran while it streamed, are not in its prompt.
    if (message !== NONE && records.get("message", record) === message) chain = [];
    else chain.push(record);
    if (records.get("kind", record) === RecordKind.compactBoundary) break;
    // The real client loses the history before "No response requested." when it lies in another file (2.1.29).
    if (isSpacer(table, record)) ownFileOnly = true;
    record = index.find(records.get("parent", record), record, ownFileOnly);
  }
  return chain.reverse();
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

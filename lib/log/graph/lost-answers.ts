import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * 2.1.29 writes the last answer of a turn into a suggestion agent's file alone. When the session is
 * resumed, the client finds a prompt without an answer and goes on from there with "No response
 * requested.". To a reader the answer was given: that line comes behind it, and there is one way, not two.
 */
export function joinLostAnswers(table: SessionTable, parents: Int32Array): void {
  const { records } = table;
  const spacers = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    if (records.get("file", record) !== 0 || records.get("kind", record) !== RecordKind.synthetic) continue;
    if (records.get("flags", record) & Flag.apiError || at(parents, record) === NONE) continue;
    const list = spacers.get(at(parents, record));
    if (list) list.push(record);
    else spacers.set(at(parents, record), [record]);
  }
  if (spacers.size === 0) return;
  for (let record = 0; record < records.size; record++) {
    const waiting = spacers.get(at(parents, record));
    if (!waiting || records.get("file", record) === 0 || records.get("kind", record) !== RecordKind.assistant)
      continue;
    const last = lastLine(table, record);
    for (const spacer of waiting) parents[spacer] = last;
  }
}

/** The last line of this line's message that follows it in its file without a gap. */
function lastLine({ records }: SessionTable, record: number): number {
  let last = record;
  while (last + 1 < records.size && records.get("message", last + 1) === records.get("message", record))
    last += 1;
  return last;
}

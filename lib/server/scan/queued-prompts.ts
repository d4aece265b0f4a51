import { addTo } from "@/lib/format/lists";
import { followQueue, saysQueued } from "@/lib/log/graph/queued-turns";
import type { SessionTable } from "@/lib/log/table/session-table";
import { formatRecordId, type RecordId } from "@/lib/wire/ids";

const NONE = -1;

/**
 * Lines of the queue that contain a prompt, by their records' ids. `repeats`: another line contains the same prompt and
 * is part of the conversation (2.0.42 and later where a prompt is given at the start, 2.1.110 and later always).
 * `waiting`: those that a later line may still repeat.
 */
export type QueuedPrompts = { repeats: RecordId[]; waiting: RecordId[] };

/**
 * Classifies the queued prompts of a session as its thread does.
 * @param keys of the table's files, by their numbers
 */
export function queuedPrompts(table: SessionTable, keys: readonly string[]): QueuedPrompts {
  const prompts: QueuedPrompts = { repeats: [], waiting: [] };
  const { records, queue } = table;
  if (queue.length === 0) return prompts;
  const { open, lines } = followQueue(table);
  const put = (to: RecordId[], record: number) =>
    to.push(formatRecordId(keys[records.file.at(record)] ?? "", records.offset.at(record)));
  for (const enqueued of lines.keys()) put(prompts.repeats, enqueued);
  for (const enqueued of open) put(prompts.waiting, enqueued);
  const waiting = queue.flatMap(({ enqueued, delivered }) =>
    delivered === NONE && records.link.at(enqueued) !== NONE ? [enqueued] : [],
  );
  const delivered = linesOf(table, waiting, new Set(lines.values()));
  for (const enqueued of waiting) put(delivered.has(enqueued) ? prompts.repeats : prompts.waiting, enqueued);
  return prompts;
}

/**
 * Matches these prompts, which nothing removed from the queue, with later lines of their file, each line with one
 * prompt.
 */
function linesOf(
  { records }: SessionTable,
  waiting: readonly number[],
  taken: ReadonlySet<number>,
): ReadonlySet<number> {
  const said = new Set<number>();
  if (waiting.length === 0) return said;
  const keyOf = (record: number) => `${records.file.at(record)} ${records.link.at(record)}`;
  const open = new Map<string, number[]>();
  for (const enqueued of waiting) addTo(open, keyOf(enqueued), enqueued);
  for (
    let record = waiting.reduce((first, one) => Math.min(first, one)) + 1;
    record < records.size;
    record++
  ) {
    if (!saysQueued(records.kind.at(record)) || taken.has(record)) continue;
    const same = open.get(keyOf(record));
    const [enqueued] = same ?? [];
    if (enqueued === undefined || enqueued > record) continue;
    same?.shift();
    said.add(enqueued);
  }
  return said;
}

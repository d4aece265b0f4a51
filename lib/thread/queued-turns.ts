import { RecordKind } from "./kinds";
import type { SessionTable } from "./session-table";

const NONE = -1;
/** Records before and behind a delivery in which a prompt's own line is looked for. */
const LOOK_BACK = 16;
const LOOK_AHEAD = 64;

/**
 * Prompts that were typed while the model worked and left no line of their own (2.0.42–2.1.42):
 * delivered, and held by no user line or attachment there. Keyed by the record that delivered them.
 */
export function findQueuedTurns(table: SessionTable): Map<number, number> {
  const { records, queue } = table;
  const turns = new Map<number, number>();
  const taken = new Set<number>();
  for (const { enqueued, delivered } of queue) {
    const text = records.get("link", enqueued);
    if (delivered === NONE || text === NONE) continue;
    const line = lineOf(table, enqueued, delivered, taken);
    if (line === NONE) turns.set(delivered, enqueued);
    else taken.add(line);
  }
  return turns;
}

/**
 * The line that holds a delivered prompt, -1 for none. People type "go on" more than once: it must
 * stand with the delivery, before the second answer behind it (the first may be written ahead of its prompt, 2.1.220).
 */
function lineOf(
  { records }: SessionTable,
  enqueued: number,
  delivered: number,
  taken: ReadonlySet<number>,
): number {
  const text = records.get("link", enqueued);
  const file = records.get("file", enqueued);
  let answer = NONE;
  const end = Math.min(records.size, delivered + LOOK_AHEAD);
  for (let record = Math.max(enqueued, delivered - LOOK_BACK) + 1; record < end; record++) {
    if (records.get("file", record) !== file) return NONE;
    const kind = records.get("kind", record);
    if (kind === RecordKind.prompt && records.get("link", record) === text && !taken.has(record))
      return record;
    if (kind !== RecordKind.assistant || record < delivered) continue;
    const message = records.get("message", record);
    if (answer !== NONE && message !== answer) return NONE;
    answer = message;
  }
  return NONE;
}

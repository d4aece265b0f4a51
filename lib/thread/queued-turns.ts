import { RecordKind } from "./kinds";
import type { SessionTable } from "./session-table";

const NONE = -1;

/**
 * Prompts that were typed while the model worked and left no line of their own (2.0.42–2.1.42):
 * delivered, and held by no user line or attachment. Keyed by the record that delivered them.
 */
export function findQueuedTurns(table: SessionTable): Map<number, number> {
  const { records, queue } = table;
  const turns = new Map<number, number>();
  if (queue.length === 0) return turns;
  const written = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    if (records.get("kind", record) !== RecordKind.prompt) continue;
    const text = records.get("link", record);
    written.set(text, (written.get(text) ?? 0) + 1);
  }
  for (const { enqueued, delivered } of queue) {
    const text = records.get("link", enqueued);
    if (delivered === NONE || text === NONE) continue;
    const lines = written.get(text) ?? 0;
    if (lines > 0) written.set(text, lines - 1);
    else turns.set(delivered, enqueued);
  }
  return turns;
}

import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * Messages (by number) that a broken stream left behind and the client then asked for again: 2.1.29
 * and 2.1.42 keep the first attempt, and the second says the same under another id right below it.
 */
export function findBrokenAttempts(table: SessionTable, parents: Int32Array): ReadonlySet<number> {
  const { records, messages } = table;
  const firstText = new Int32Array(messages.size).fill(NONE);
  const broken = new Set<number>();
  for (let record = 0; record < records.size; record++) {
    if (records.get("kind", record) !== RecordKind.assistant) continue;
    const message = records.get("message", record);
    if (at(firstText, message) === NONE) firstText[message] = records.get("link", record);
  }
  for (let record = 0; record < records.size; record++) {
    const up = at(parents, record);
    if (
      up === NONE ||
      records.get("kind", record) !== RecordKind.assistant ||
      records.get("kind", up) !== RecordKind.assistant
    )
      continue;
    const message = records.get("message", record);
    const above = records.get("message", up);
    if (
      message !== above &&
      at(firstText, message) !== NONE &&
      at(firstText, message) === at(firstText, above)
    )
      broken.add(above);
  }
  return broken;
}

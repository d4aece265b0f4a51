import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;

/**
 * Records that stand in their file already, with the same uuid and the same content: copy → the one
 * written first. `/branch` writes what a compaction preserved a second time (2.1.330, tui-extra), and
 * what it had cut away (2.1.110). The same uuid on different content is no copy.
 */
export function findCopies(table: SessionTable): Map<number, number> {
  const { records } = table;
  const first = new Int32Array(table.uuids.size).fill(NONE);
  const otherFiles = new Map<string, number>();
  const copies = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    const uuid = records.get("uuid", record);
    if (uuid === NONE || !(records.get("flags", record) & Flag.node)) continue;
    const known = first[uuid] as number;
    if (known === NONE) {
      first[uuid] = record;
      continue;
    }
    const file = records.get("file", record);
    const key = `${uuid} ${file}`;
    const original = records.get("file", known) === file ? known : otherFiles.get(key);
    if (original === undefined) otherFiles.set(key, record);
    else if (saysTheSame(table, original, record)) copies.set(record, original);
  }
  return copies;
}

function saysTheSame({ records }: SessionTable, one: number, other: number): boolean {
  return SAME.every((column) => Object.is(records.get(column, one), records.get(column, other)));
}

/** Not `parent`, and not `length`: a copy may hang elsewhere, and says where it comes from. */
const SAME = ["kind", "type", "link", "message", "images", "atMs"] as const;

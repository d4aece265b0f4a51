import { isRecordRow, type RowList } from "@/lib/log/rows/flatten";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const KINDS = 8;
const BLOCKS = 128;
const OFFSETS = 2 ** 32;

/**
 * A number for each row of a list that says where its content stands on disk: the row is the same one in
 * a later list if its number is. Exact for logs up to 4 GiB, 2,048 files and 127 blocks a line.
 */
export function rowIdentities({ records, blocks }: SessionTable, list: RowList): Float64Array {
  const found = new Float64Array(list.count);
  for (let row = 0; row < list.count; row++) {
    const kind = at(list.kind, row);
    const of = at(list.of, row);
    const isBlock = !isRecordRow(kind);
    const record = isBlock ? blocks.get("record", of) : of;
    const block = isBlock ? (blocks.get("index", of) + 1) % BLOCKS : 0;
    const place = records.get("file", record) * OFFSETS + records.get("offset", record);
    found[row] = (place * BLOCKS + block) * KINDS + kind;
  }
  return found;
}

/** How many of the first rows are the same in both lists. */
export function stableRows(before: Float64Array, after: Float64Array): number {
  const most = Math.min(before.length, after.length);
  let row = 0;
  while (row < most && before[row] === after[row]) row++;
  return row;
}

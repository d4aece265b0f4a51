import type { SessionTable } from "./session-table";

/** The blocks of a record, as numbers in `table.blocks`. */
export function* blocksOf(table: SessionTable, record: number): Generator<number> {
  const { blocks, records } = table;
  for (
    let block = records.get("firstBlock", record);
    block < blocks.size && blocks.get("record", block) === record;
    block++
  )
    yield block;
}

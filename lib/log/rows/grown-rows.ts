import { grown } from "@/lib/log/table/grown";
import { at } from "@/lib/log/table/table";
import type { RowList } from "./flatten";

type Rows = { kind: readonly number[]; of: readonly number[]; turn: readonly number[] };

/**
 * A list with other rows from `kept` on, and how many of the first ones are the same. It shares the memory of the
 * list before as far as they are; whoever reads that one finds it as it was.
 */
export function grownRows(before: RowList, kept: number, rows: Rows): { list: RowList; stable: number } {
  const added = rows.kind.length;
  let same = 0;
  while (same < added && kept + same < before.count && isSame(before, kept + same, rows, same)) same += 1;
  const stable = kept + same;
  const count = kept + added;
  const cut = <N extends Uint8Array | Int32Array | Uint32Array>(numbers: N) =>
    grown(stable < before.count ? (numbers.slice(0, stable) as N) : numbers, count, 0);
  const list = { count, kind: cut(before.kind), of: cut(before.of), turn: cut(before.turn) };
  for (let row = same; row < added; row++) {
    list.kind[kept + row] = at(rows.kind, row);
    list.of[kept + row] = at(rows.of, row);
    list.turn[kept + row] = at(rows.turn, row);
  }
  return { list, stable };
}

function isSame(list: RowList, row: number, rows: Rows, index: number): boolean {
  return (
    list.kind[row] === rows.kind[index] &&
    list.of[row] === rows.of[index] &&
    list.turn[row] === rows.turn[index]
  );
}

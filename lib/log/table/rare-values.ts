import { firstPlace } from "@/lib/format/lists";
import type { Table, TableData } from "./table";

/** The numbers of the few rows of a table that have one, in the order of these rows: as a column they would be mostly zeros. */
export const RARE = { row: Int32Array, value: Uint32Array };

/** Such numbers, in the order of their rows. */
export type RareValues = Table<typeof RARE>;

/** The number of a row, 0 for none. */
export function rareValue({ size, row, value }: RareValues, wanted: number): number {
  const place = firstPlace(0, size, (index) => row.at(index) >= wanted);
  return place < size && row.at(place) === wanted ? value.at(place) : 0;
}

/** Sets the number of the last row that has one, or of a row behind it. */
export function putRareValue(values: RareValues, row: number, value: number): void {
  const last = values.size - 1;
  if (last >= 0 && values.row.at(last) > row) throw new Error(`row ${row} is not the last one`);
  if (last >= 0 && values.row.at(last) === row) values.value.put(last, value);
  else values.push({ row, value });
}

/** Gives each row its new place. */
export function placeRareValues({ size, columns }: TableData<typeof RARE>, places: Int32Array): void {
  const placed = Array.from({ length: size }, (_, index) => ({
    row: places[columns.row[index] as number] as number,
    value: columns.value[index] as number,
  }));
  placed.sort((a, b) => a.row - b.row);
  for (const [index, { row, value }] of placed.entries()) {
    columns.row[index] = row;
    columns.value[index] = value;
  }
}

import { expect, test } from "vitest";
import { placeRareValues, putRareValue, RARE, type RareValues, rareValue } from "./rare-values";
import { Table } from "./table";

function valuesOf(...pairs: [row: number, value: number][]): RareValues {
  const values: RareValues = new Table(RARE);
  for (const [row, value] of pairs) putRareValue(values, row, value);
  return values;
}

test("rows with a number have it, all others 0", () => {
  const values = valuesOf([3, 7], [4, 4_294_967_295], [900, 1]);
  expect([0, 3, 4, 5, 899, 900, 901].map((row) => rareValue(values, row))).toEqual([
    0, 7, 4_294_967_295, 0, 0, 1, 0,
  ]);
  expect(rareValue(valuesOf(), 0)).toBe(0);
});

test("the last row's number may be set again, an earlier one's may not", () => {
  const values = valuesOf([3, 7], [5, 1]);
  putRareValue(values, 5, 2);
  expect([values.size, rareValue(values, 5)]).toEqual([2, 2]);
  expect(() => putRareValue(values, 4, 1)).toThrow("row 4 is not the last one");
});

test("rows that are placed anew stay in order", () => {
  const data = valuesOf([0, 10], [1, 11], [3, 13]).trimmed();
  placeRareValues(data, Int32Array.of(2, 0, 3, 1));
  const values: RareValues = new Table(RARE, data);
  expect([0, 1, 2, 3].map((row) => rareValue(values, row))).toEqual([11, 13, 10, 0]);
});

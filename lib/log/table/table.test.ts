import { expect, test } from "vitest";
import { Table } from "./table";

const SHAPE = { at: Float64Array, kind: Uint8Array, link: Int32Array };

test("rows keep their values while the columns grow", () => {
  const table = new Table(SHAPE);
  for (let n = 0; n < 1000; n++) expect(table.push({ at: n / 2, kind: n % 256, link: -n })).toBe(n);
  expect([table.size, table.at.at(999), table.kind.at(300), table.link.at(999)]).toEqual([
    1000, 499.5, 44, -999,
  ]);
  table.link.put(7, 42);
  expect(table.link.at(7)).toBe(42);
});

test("a trimmed copy has no spare room, and a table made of it grows again", () => {
  const table = new Table(SHAPE);
  table.push({ at: 1, kind: 2, link: 3 });
  const data = table.trimmed();
  expect([data.size, data.columns.at.length]).toEqual([1, 1]);
  const copy = new Table(SHAPE, data);
  expect(copy.push({ at: 4, kind: 5, link: 6 })).toBe(1);
  expect([copy.at.at(0), copy.at.at(1), table.size]).toEqual([1, 4, 1]);
});

test("an empty table can be copied and filled", () => {
  const copy = new Table(SHAPE, new Table(SHAPE).trimmed());
  expect(copy.push({ at: Number.NaN, kind: 0, link: -1 })).toBe(0);
  expect(copy.at.at(0)).toBeNaN();
});

test("many tables that grow for hours have an eighth of spare capacity, and no part of their former arrays", () => {
  const table = new Table(SHAPE);
  let mostSpare = 0;
  for (let n = 0; n < 20_000; n++) {
    table.push({ at: n, kind: 0, link: n });
    if (n > 4_000) mostSpare = Math.max(mostSpare, table.columns.at.length / table.size);
  }
  expect(mostSpare).toBeLessThanOrEqual(1.126);
  const stored = new ArrayBuffer(1 << 20);
  const empty = { at: new Float64Array(stored, 0, 0), kind: new Uint8Array(), link: new Int32Array() };
  expect(new Table(SHAPE, { size: 0, columns: empty }).columns.at.buffer).not.toBe(stored);
});

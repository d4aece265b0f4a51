import { expect, test } from "vitest";
import type { Row } from "@/lib/wire/rows";
import { loadPrintedRows, loadPrintedRowsNow, MAX_PRINTED_ROWS, rowsAtHand } from "./use-print";

const thread = (total: number) => async (from: number, count: number) => ({
  total,
  rows: Array.from(
    { length: Math.max(0, Math.min(count, total - from)) },
    (_, at) => ({ key: String(from + at) }) as Row,
  ),
});
const ends = ({ rows }: { rows: Row[] }) => [rows[0]?.key, rows.at(-1)?.key, rows.length];

test("a thread of any usual length is printed whole", async () => {
  const progress: number[] = [];
  const printed = await loadPrintedRows(thread(450), 300, (done) => progress.push(done));
  expect(ends(printed)).toEqual(["0", "449", 450]);
  expect(printed.from).toBe(0);
  expect(progress).toEqual([200, 400]);
});

test("of a longer one as much as fits is printed, from the reader's place on", async () => {
  const total = 5 * MAX_PRINTED_ROWS;
  const printed = await loadPrintedRows(thread(total), 3_000, () => undefined);
  expect(printed.from).toBe(3_000);
  expect(ends(printed)).toEqual(["3000", "4999", MAX_PRINTED_ROWS]);
  const last = await loadPrintedRows(thread(total), total - 5, () => undefined);
  expect(ends(last)).toEqual([String(total - MAX_PRINTED_ROWS), String(total - 1), MAX_PRINTED_ROWS]);
});

test("a thread that has become shorter ends where it ends", async () => {
  let left = 3;
  const shrinking = async (from: number, count: number) =>
    left-- > 0 ? thread(1_000)(from, count) : { total: 600, rows: [] };
  expect(ends(await loadPrintedRows(shrinking, 0, () => undefined))).toEqual(["0", "599", 600]);
});

test("while the browser waits the same rows are loaded, or those that the page has", () => {
  const all = (total: number) => (from: number, count: number) => ({
    total,
    rows: Array.from(
      { length: Math.max(0, Math.min(count, total - from)) },
      (_, at) => ({ key: String(from + at) }) as Row,
    ),
  });
  const printed = loadPrintedRowsNow(all(450), 300);
  expect(printed && ends(printed)).toEqual(["0", "449", 450]);
  expect(loadPrintedRowsNow(() => null, 0)).toBeNull();
  const loaded = [7, 5, 6, 9].map((index) => [index, { key: String(index) } as Row] as const);
  expect(rowsAtHand(loaded, 20)).toMatchObject({ from: 5, total: 20 });
  expect(ends(rowsAtHand(loaded, 20))).toEqual(["5", "7", 3]);
});

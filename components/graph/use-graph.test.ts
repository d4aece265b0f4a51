import { expect, it } from "vitest";
import { graphOf, itemOf } from "@/lib/testing/graph/graph-lines";
import type { RecordId } from "@/lib/wire/ids";
import { itemOfRecord } from "./graph-find";
import type { GraphItem, RowMark } from "./graph-model";
import { type Opened, outdatedItems, withOpened, withRenewed } from "./use-graph";

const MODEL = graphOf([
  { items: "1 [3] 2" },
  { items: "1 [1]", parent: 0, leaves: 1, returns: 1, agent: "a", lane: 1 },
  { items: "2", parent: 0, leaves: 1, lane: 1 },
]);

const openedOf = (held: [key: string, items: GraphItem[]][]): Opened =>
  new Map(held.map(([key, items]) => [key, { rows: items.length, items }]));

it("replaces an item with its rows, and lines that leave it leave those", () => {
  const rows = [10, 11, 12].map((index) => itemOf(index, "row", 1, 1));
  const { items, lines, lineOf } = withOpened(MODEL, openedOf([["m~1", rows]]));
  expect(items.map(({ id }) => id)).toEqual(["m~0", "m~a", "m~b", "m~c", "m~2", "m~3", "m~4", "m~5"]);
  expect(lines.map(({ from, to, leaves, returns }) => [from, to, leaves, returns])).toEqual([
    [0, 5, -1, -1],
    [5, 7, 1, 3],
    [7, 8, 3, -1],
  ]);
  expect([...lineOf]).toEqual([0, 0, 0, 0, 0, 1, 1, 2]);
});

it("opens the contents of an opened item", () => {
  const run = itemOf(20, "run", 1, 2);
  const opened = openedOf([
    ["m~1", [run]],
    [run.key, [itemOf(21, "row", 1, 1), itemOf(22, "row", 1, 1)]],
  ]);
  expect(
    withOpened(MODEL, opened)
      .items.map(({ id }) => id)
      .slice(0, 4),
  ).toEqual(["m~0", "m~l", "m~m", "m~2"]);
});

it("the contents of an opened item are requested again when there are more, and while a call has no result", () => {
  const row = (mark: RowMark): GraphItem => ({ ...itemOf(20, "row", 1, 1), mark });
  const keysOf = (opened: Opened) => outdatedItems(MODEL, opened).map(({ key }) => key);
  const [, run] = MODEL.items;
  const held = (rows: number, mark: RowMark): Opened => new Map([["m~1", { rows, items: [row(mark)] }]]);
  expect(keysOf(held(run?.rows ?? 0, "tool"))).toEqual([]);
  expect(keysOf(held(1, "tool"))).toEqual(["m~1"]);
  expect(keysOf(held(run?.rows ?? 0, "no-result"))).toEqual(["m~1"]);
});

it("finds the item that contains a record", () => {
  expect(itemOfRecord(MODEL, "m~2" as RecordId)).toBe(2);
  expect(itemOfRecord(MODEL, "m~zz" as RecordId)).toBe(5);
  expect(itemOfRecord(MODEL, "x~1" as RecordId)).toBeNull();
});

it("what was read of an opened item does not open it anew once it is closed, nor replace what was read of more", () => {
  const [, run] = MODEL.items as [GraphItem, GraphItem];
  const read = [itemOf(20, "row", 1, 1)];
  const opened = openedOf([[run.key, []]]);
  expect(withRenewed(opened, run, read).get(run.key)).toEqual({ rows: run.rows, items: read });
  expect(withRenewed(new Map(), run, read)).toEqual(new Map());
  const further: Opened = new Map([[run.key, { rows: run.rows + 1, items: [] }]]);
  expect(withRenewed(further, run, read)).toBe(further);
});

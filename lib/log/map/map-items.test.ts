import { expect, it } from "vitest";
import { Table } from "@/lib/log/table/table";
import { groupItems, ITEMS, ItemKind, type Items } from "./map-items";

/** Turns of a prompt and a run each; every `pinnedEvery`th run is left by something. */
function sessionOf(turns: number, pinnedEvery: number): Items {
  const items: Items = new Table(ITEMS);
  const nothing = {
    calls: 0,
    errors: 0,
    denied: 0,
    edits: 0,
    agents: 0,
    holds: 0,
    startMs: Number.NaN,
    endMs: Number.NaN,
  };
  for (let turn = 0; turn < turns; turn++) {
    const place = (at: number) => ({ chain: 0, record: at, from: at, to: at + 1 });
    items.push({ ...nothing, ...place(2 * turn), kind: ItemKind.turn, turns: 1, rows: 0, pinned: 0 });
    const pinned = turn % pinnedEvery === 0 ? 1 : 0;
    items.push({ ...nothing, ...place(2 * turn + 1), kind: ItemKind.run, turns: 0, rows: 3, pinned });
  }
  return items;
}

/** Every item as an object of its own. */
function all(items: Items): { [Name in keyof typeof ITEMS]: number }[] {
  const names = Object.keys(ITEMS) as (keyof typeof ITEMS)[];
  return Array.from(
    { length: items.size },
    (_, index) =>
      Object.fromEntries(names.map((name) => [name, items[name].at(index)])) as {
        [Name in keyof typeof ITEMS]: number;
      },
  );
}

it("leaves what fits as it is", () => {
  const items = sessionOf(20, 5);
  expect(groupItems(items, 40)).toBe(items);
});

it("folds turns, whole ones, and loses none", () => {
  const folded = all(groupItems(sessionOf(10_000, 100), 1000));
  expect(folded.length).toBeLessThanOrEqual(1000);
  expect(folded.reduce((sum, { turns }) => sum + turns, 0)).toBe(10_000);
  expect(folded.reduce((sum, { rows }) => sum + rows, 0)).toBe(30_000);
  for (const [index, item] of folded.entries()) {
    expect(item.from).toBe(folded[index - 1]?.to ?? 0);
    if (item.kind !== ItemKind.group) continue;
    expect(item.holds).toBe(item.to - item.from);
    expect(item.pinned).toBe(0);
  }
  // The end stays as it is: there a session is read most.
  expect(folded.slice(-20).every(({ kind }) => kind !== ItemKind.group)).toBe(true);
});

it("folds even what something leaves when there is too much of it", () => {
  const folded = all(groupItems(sessionOf(10_000, 1), 500));
  expect(folded.length).toBeLessThanOrEqual(500);
  expect(folded.reduce((sum, { rows }) => sum + rows, 0)).toBe(30_000);
});

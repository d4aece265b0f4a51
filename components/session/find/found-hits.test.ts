import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import type { RecordId } from "@/lib/wire/ids";
import { findPlace, orderHits, shownHits } from "./found-hits";

const HITS = [
  makeHit({ record: "a1~0", agent: "a1" }),
  makeHit({ record: "m~10" }),
  makeHit({ record: "m~z", block: 1 }),
  makeHit({ record: "m~z", block: 0 }),
];

test("hits go down the main log by byte offset, which is written in base 36, then down the agents", () => {
  expect(orderHits(HITS).map(({ recordId, block }) => `${recordId}.${block}`)).toEqual([
    "m~z.0",
    "m~z.1",
    "m~10.0",
    "a1~0.0",
  ]);
});

test("a link's place among the hits", () => {
  const hits = orderHits(HITS);
  expect(findPlace(hits, { recordId: "m~z" as RecordId, block: 1 })).toBe(1);
  expect(findPlace(hits, { recordId: "m~z" as RecordId, block: 7 })).toBe(0);
  expect(findPlace(hits, { recordId: "m~x" as RecordId, block: 0 })).toBe(-1);
  expect(findPlace(hits, null)).toBe(-1);
});

test("a view steps through what it shows, and knows what it hides", () => {
  const hits = [makeHit({ field: "title" }), makeHit({ field: "output" }), makeHit({ field: "meta" })];
  expect(shownHits(hits, "tools", null)).toMatchObject({ shown: [{ field: "output" }], hidden: 1 });
  expect(shownHits(hits, "everything", null).hidden).toBe(0);
});

test("a selected part of the time keeps the hits of its lines, and knows how many lie outside", () => {
  const hits = [900, 1_000, 1_500, 2_100, null].map((atMs) => makeHit({ atMs }));
  const meta = makeHit({ field: "meta", atMs: 1_200 });
  const range = { fromMs: 1_000, toMs: 2_000 };
  const { shown, ...left } = shownHits([...hits, meta, makeHit({ field: "title" })], "tools", range);
  expect(shown.map(({ atMs }) => atMs)).toEqual([1_000, 1_500]);
  expect(left).toEqual({ hidden: 1, outside: 3 });
});

import { expect, test } from "vitest";
import { firstPlace, isSameList, putLatest } from "./lists";

test("finds the first place, whichever it is, in few looks", () => {
  const from = 3;
  const to = 1_027;
  for (let first = from; first <= to; first++) {
    let looks = 0;
    const found = firstPlace(from, to, (place) => {
      looks += 1;
      return place >= first;
    });
    expect(found).toBe(first);
    expect(looks).toBeLessThanOrEqual(11);
  }
});

test("what was put into a map longest ago goes first", () => {
  const kept = new Map<string, number>();
  for (const [at, key] of ["a", "b", "a", "c", "d"].entries()) putLatest(kept, key, at, 3);
  expect([...kept]).toEqual([
    ["a", 2],
    ["c", 3],
    ["d", 4],
  ]);
});

test("lists are the same with the same items in the same order alone", () => {
  expect(isSameList(["a", "b"], ["a", "b"])).toBe(true);
  expect(isSameList<string>([], [])).toBe(true);
  for (const other of [["b", "a"], ["a"], ["a", "b", "c"]]) expect(isSameList(["a", "b"], other)).toBe(false);
});

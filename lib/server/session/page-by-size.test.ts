import { expect, test } from "vitest";
import { pageBySize } from "./page-by-size";

const FIRST = { limit: null, cursor: null };

test("a page ends where its items would be more than a megabyte, of which each is counted in bytes", () => {
  const list = Array.from({ length: 5 }, () => "é".repeat(150_000));
  const page = pageBySize(list, FIRST, (text) => ({ text }));
  expect([page.items.length, page.nextCursor]).toEqual([2, "2"]);
  const rest = pageBySize(list, { limit: null, cursor: "4" }, (text) => ({ text }));
  expect([rest.items.length, rest.nextCursor]).toEqual([1, null]);
  // One that is larger by itself is a page of its own, so that the end is reached.
  expect(pageBySize(["é".repeat(900_000), "b"], FIRST, String)).toMatchObject({ nextCursor: "1" });
});

test("a page has no more than was asked for; behind the last one there is none", () => {
  expect(pageBySize([1, 2, 3], { limit: 2, cursor: null }, String)).toEqual({
    items: ["1", "2"],
    nextCursor: "2",
  });
  expect(pageBySize([1, 2, 3], { limit: 2, cursor: "9" }, String)).toEqual({ items: [], nextCursor: null });
  for (const cursor of ["x", "-1", "1.5"])
    expect(() => pageBySize([1], { limit: 2, cursor }, String)).toThrow("No answer gave out this cursor");
});

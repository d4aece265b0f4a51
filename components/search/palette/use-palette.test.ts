import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { fileAsked, filterByNames, isCalled, pickHits } from "./use-palette";

const NAMES = ["Fix the retry test", "Retry with backoff", "Write the changelog"];
const found = (query: string, most = 8) => filterByNames(NAMES, query, (name) => [name], most);

test("every word must be in a name; names that begin with it come first", () => {
  expect(found("retry")).toEqual(["Retry with backoff", "Fix the retry test"]);
  expect(found("the retry")).toEqual(["Fix the retry test"]);
  expect(found("RETRY", 1)).toEqual(["Retry with backoff"]);
});

test("without text the latest are listed; filters alone list no names", () => {
  expect(found("", 2)).toEqual(NAMES.slice(0, 2));
  expect(found("is:error")).toEqual([]);
});

test("words of several names of one thing count together", () => {
  const sessions = [{ title: "Fix it", branch: "feat/retry" }];
  expect(filterByNames(sessions, "fix retry", ({ title, branch }) => [title, branch, null], 5)).toHaveLength(
    1,
  );
});

test.each([
  ["compare two branches", true],
  ["Compare branches", true],
  ["compare t", true],
  // What may as well be asked of the logs.
  ["compare", false],
  ["compare carts", false],
  ["pare two", false],
  ["", false],
])("whether “%s” calls the command “compare two branches”: %s", (query, called) => {
  expect(isCalled(query, "compare two branches")).toBe(called);
});

test("a command of one word is called by all of it", () => {
  expect(isCalled("waterfall ", "waterfall")).toBe(true);
  expect(isCalled("water", "waterfall")).toBe(false);
});

test("one session does not hide the others, and a text is shown once", () => {
  const hits = [
    makeHit({ session: "a", record: "1", snippet: "one" }),
    makeHit({ session: "a", record: "2", snippet: "one" }),
    makeHit({ session: "a", record: "3", snippet: "two" }),
    makeHit({ session: "a", record: "4", snippet: "three" }),
    makeHit({ session: "b", record: "5" }),
  ];
  expect(pickHits(hits, () => true, 8, 2).map(({ recordId }) => recordId)).toEqual(["1", "3", "5"]);
  expect(pickHits(hits, (id) => id !== "a", 8, 2).map(({ recordId }) => recordId)).toEqual(["5"]);
  // Where no others are to come, the room is theirs that were found.
  expect(pickHits(hits, () => true, 8, 2, true).map(({ recordId }) => recordId)).toEqual([
    "1",
    "3",
    "5",
    "4",
  ]);
  expect(pickHits(hits, () => true, 3, 2, true).map(({ recordId }) => recordId)).toEqual(["1", "3", "5"]);
});

test.each([
  ["src/cart.ts", "src/cart.ts"],
  ["  cart.ts ", "cart.ts"],
  ["/home/dev/shop/src/cart.ts", "/home/dev/shop/src/cart.ts"],
  ["file:Makefile", "Makefile"],
  ['file:"my notes.md"', "my notes.md"],
  ["file:src/**", null],
  ["cart", null],
  ["fix cart.ts", null],
  ["tool:a.ts", null],
  ["https://example.com/a.html", null],
  ["2.5", null],
])("%s names the file %s", (query, file) => {
  expect(fileAsked(query)).toBe(file);
});

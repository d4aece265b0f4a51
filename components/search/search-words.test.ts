import fc from "fast-check";
import { expect, test } from "vitest";
import { findRanges, foundTexts, markPattern, plainWords } from "./search-words";

const marked = (query: string, text: string, found: string[] = []) => {
  const pattern = markPattern(query, found);
  return pattern ? findRanges(text, pattern).map(([from, to]) => text.slice(from, to)) : [];
};

test("words and phrases are marked, filters and negated words are not", () => {
  expect(marked('retry -flaky tool:Bash "back off"', "Retry the flaky Bash back\noff")).toEqual([
    "Retry",
    "back\noff",
  ]);
  expect(marked("x.y retrying retry", "retrying x.y xzy")).toEqual(["retrying", "x.y"]);
  expect(marked("is:error", "error")).toEqual([]);
  expect(marked("[bad a+b", "[bad a+b")).toEqual(["[bad", "a+b"]);
});

test("an expression is marked by what the server found with it, and never run", () => {
  expect(marked("/(a+)+b/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")).toEqual([]);
  const found = foundTexts([{ snippet: "one reeetry", ranges: [[4, 11]] }]);
  expect(marked("/re+try/", "Reeetry, retry", found)).toEqual(["Reeetry"]);
});

test("words of two characters without spaces around them, as in Chinese", () => {
  expect(marked("重试", "请重试一次")).toEqual(["重试"]);
});

test("names are filtered by the plain words", () => {
  expect(plainWords('Retry "Back Off" in:text -no')).toEqual(["retry", "back off"]);
});

test("any query makes a pattern or none, and never fails", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (query, text) => {
      for (const [from, to] of findRanges(text, markPattern(query) ?? /$^/g))
        expect(to).toBeGreaterThan(from);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { foundTexts, markedRanges, type TextRange, wantedWords } from "./text-marks";

const marked = (text: string, words: string[], found: Parameters<typeof markedRanges>[1]["found"] = []) =>
  markedRanges(text, { words, found }).map(([from, to]) => text.slice(from, to));

test("words and phrases are wanted, filters, excluded words and expressions are not", () => {
  expect(wantedWords('retry -flaky tool:Bash "back off" /re+/ (a OR B)')).toEqual([
    "retry",
    "back off",
    "a",
    "B",
  ]);
  expect(wantedWords("is:error")).toEqual([]);
  // What the server refused as an expression it looks for as it is.
  expect(wantedWords("/[a/", [{ from: 0, to: 4 }])).toEqual(["/[a/"]);
});

test("a word is marked in any case, wherever it stands, and overlapping marks are one", () => {
  expect(marked("Retry the RETRYING", ["retry", "retrying"])).toEqual(["Retry", "RETRYING"]);
  expect(marked("a.b axb", ["a.b"])).toEqual(["a.b"]);
  expect(marked("abcd", ["abc", "bcd"])).toEqual(["abcd"]);
});

test("what an expression found is marked whole, and only where it found it", () => {
  const text = "concatenate a cat, scat and cat";
  const ranges: TextRange[] = [
    [14, 17],
    [28, 31],
  ];
  const found = foundTexts(text, ranges);
  expect(markedRanges(text, { words: [], found })).toEqual(ranges);
  expect(marked("the cat scatters", [], found)).toEqual([]);
  expect(marked("a cat, there", [], found)).toEqual(["cat"]);
  expect(
    foundTexts("cat cat", [
      [0, 3],
      [4, 7],
    ]),
  ).toEqual([{ text: "cat" }]);
});

test("a line break of a log may be a space on the page", () => {
  expect(marked("back off", [], foundTexts("back\noff", [[0, 8]]))).toEqual(["back off"]);
});

test("any query wants words or none, and never fails", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (query, text) => {
      for (const [from, to] of markedRanges(text, { words: wantedWords(query), found: [] }))
        expect(to).toBeGreaterThan(from);
    }),
  );
});

test("what an expression found is told from the same text with the same neighbours by what is further away", () => {
  // In the second one the joiner before the second woman belongs to the first find.
  const text = "\n👩\u200d👩\u200d👧\nof 👩\u200d👩\u200d👧 --force";
  const ranges = [...text.matchAll(/.👩./gu)].map(({ 0: found, index }): [number, number] => [
    index,
    index + found.length,
  ]);
  expect(ranges).toHaveLength(2);
  expect(markedRanges(text, { words: [], found: foundTexts(text, ranges) })).toEqual(ranges);
});

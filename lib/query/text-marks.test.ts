import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import {
  createMarker,
  type FoundLimits,
  foundTexts,
  joinRanges,
  TEXT_END,
  type TextSpan,
  wantedWords,
} from "./text-marks";

const ALL: FoundLimits = { texts: 20_000, characters: 400_000 };

const marked = (text: string, words: string[], found: Parameters<typeof createMarker>[0]["found"] = []) =>
  createMarker({ words, found })(text).map(([from, to]) => text.slice(from, to));

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
  // An exported file has no filters.
  expect(wantedWords("use Tool:Bash is:error", [{ from: 4, to: 13 }])).toEqual(["use", "Tool:Bash"]);
});

test("a word is marked in any case, wherever it is, and overlapping marks are merged", () => {
  expect(marked("Retry the RETRYING", ["retry", "retrying"])).toEqual(["Retry", "RETRYING"]);
  expect(marked("a.b axb", ["a.b"])).toEqual(["a.b"]);
  expect(marked("abcd", ["abc", "bcd"])).toEqual(["abcd"]);
  expect(marked("caf\u00e9 CAFE\u0301", ["caf\u00e9"])).toEqual(["caf\u00e9", "CAFE\u0301"]);
});

test("a match of an expression is marked as a whole, and only where it was found", () => {
  const text = "concatenate a cat, scat and cat";
  const ranges: TextSpan[] = [
    [14, 17],
    [28, 31],
  ];
  const found = foundTexts(text, ranges, ALL);
  expect(createMarker({ words: [], found })(text)).toEqual(ranges);
  expect(marked("the cat scatters", [], found)).toEqual([]);
  expect(marked("a cat, there", [], found)).toEqual(["cat"]);
  expect(
    foundTexts(
      "cat cat",
      [
        [0, 3],
        [4, 7],
      ],
      ALL,
    ),
  ).toEqual([{ text: "cat" }]);
});

test("a line break of a log may be a space on the page", () => {
  expect(marked("back off", [], foundTexts("back\noff", [[0, 8]], ALL))).toEqual(["back off"]);
});

test("any query has words or none, and never fails", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (query, text) => {
      for (const [from, to] of createMarker({ words: wantedWords(query), found: [] })(text))
        expect(to).toBeGreaterThan(from);
    }),
  );
});

test("a match is distinguished from an equal text with the same neighbours by characters further away", () => {
  // In the second one the joiner before the second woman belongs to the first find.
  const text = "\n👩\u200d👩\u200d👧\nof 👩\u200d👩\u200d👧 --force";
  const ranges = [...text.matchAll(/.👩./gu)].map(({ 0: found, index }): [number, number] => [
    index,
    index + found.length,
  ]);
  expect(ranges).toHaveLength(2);
  expect(createMarker({ words: [], found: foundTexts(text, ranges, ALL) })(text)).toEqual(ranges);
});

/** Every place of an expression in a text. */
const rangesOf = (expression: RegExp, text: string) =>
  [...text.matchAll(expression)].map(({ 0: found, index }): TextSpan => [index, index + found.length]);

test("thousands of different matches in one text are returned and marked in linear time", () => {
  const marksOf = (count: number) => {
    const text = Array.from({ length: count }, (_, n) => `id-${n} of xid-${n}`).join("\n");
    const ranges = rangesOf(/\bid-\d+/g, text);
    const found = foundTexts(text, ranges, { texts: 20_000, characters: 4_000_000 });
    const mark = createMarker({ words: [], found });
    // Whole, and line by line, as a page draws them.
    return { ranges, whole: mark(text), lines: text.split("\n").flatMap(mark) };
  };
  const { ranges, whole, lines } = marksOf(2_000);
  expect(whole).toEqual(ranges);
  expect([whole.length, lines.length]).toEqual([2_000, 2_000]);
  expect(timeGrowth((count) => void marksOf(count), 50)).toBeLessThan(MAX_LINEAR_GROWTH);
});

test("an answer stays within the limits", () => {
  const text = Array.from({ length: 500 }, (_, n) => `word${n}`).join(" ");
  const ranges = rangesOf(/word\d+/g, text);
  expect(foundTexts(text, ranges, { texts: 100, characters: 400_000 })).toHaveLength(100);
  const few = foundTexts(text, ranges, { texts: 500, characters: 50 });
  expect(few.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThan(51);
});

test("marks that overlap are one, those that only touch are two, and empty ones are none", () => {
  expect(
    joinRanges([
      [4, 6],
      [0, 2],
      [1, 3],
      [3, 4],
      [5, 5],
      [7, 7],
    ]),
  ).toEqual([
    [0, 3],
    [3, 4],
    [4, 6],
  ]);
});

test("a match as long as a page compares is returned, a longer one or white space is not", () => {
  const long = (count: number) => foundTexts(`${"a".repeat(count)} `, [[0, count]], ALL);
  expect(long(1_000)).toEqual([{ text: "a".repeat(1_000) }]);
  expect(long(1_001)).toEqual([]);
  expect(foundTexts("a  b", [[1, 3]], ALL)).toEqual([]);
  // Nor is an empty one anywhere, as `b*` finds it.
  expect(foundTexts("abc", [[0, 0]], ALL)).toEqual([]);
  expect(marked("abc", [], [{ text: "" }, { text: "b" }])).toEqual(["b"]);
});

test("texts that just fit into the limit of characters are returned", () => {
  const ranges: TextSpan[] = [
    [0, 3],
    [4, 7],
    [8, 10],
  ];
  const texts = (characters: number) =>
    foundTexts("one two xy", ranges, { texts: 9, characters }).map(({ text }) => text);
  expect([texts(8), texts(7), texts(5)]).toEqual([
    ["one", "two", "xy"],
    ["one", "two"],
    ["one", "xy"],
  ]);
});

test("a match at the beginning or end of a text is told from the same text within it", () => {
  expect(foundTexts("cat cats", [[0, 3]], ALL)).toEqual([{ text: "cat", beside: [[TEXT_END, " "]] }]);
  expect(foundTexts("scat cat", [[5, 8]], ALL)).toEqual([{ text: "cat", beside: [[" ", TEXT_END]] }]);
  // Further away than the end there is nothing to compare.
  expect(foundTexts("cat\ncat cat", [[8, 11]], ALL)).toEqual([{ text: "cat", beside: [[" ", TEXT_END]] }]);
});

test("nested texts are found as if they were searched one after the other", () => {
  const letters = fc.array(fc.constantFrom("a", "b", " ", "\n"), { minLength: 1, maxLength: 6 });
  const texts = letters.map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 6 }), fc.array(texts), (wanted, parts) => {
      const text = parts.join("");
      const found = wanted.map((one) => ({ text: one }));
      const each: TextSpan[] = [];
      for (const one of wanted) {
        const plain = one.replaceAll("\n", " ");
        const spaced = text.replaceAll("\n", " ");
        for (let at = spaced.indexOf(plain); at !== -1; at = spaced.indexOf(plain, at + 1))
          each.push([at, at + one.length]);
      }
      const covered = (ranges: readonly TextSpan[]) =>
        Array.from({ length: text.length }, (_, at) => ranges.some(([from, to]) => from <= at && at < to));
      expect(covered(createMarker({ words: [], found })(text))).toEqual(covered(each));
    }),
  );
});

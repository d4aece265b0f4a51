import { expect, it } from "vitest";
import { parseQuery } from "@/lib/query/parse-query";
import { createTextMatcher, toSnippet } from "./text-matcher";

/** The snippet around a word, the word in brackets. */
function around(text: string, word: string): string {
  const at = text.indexOf(word);
  const { snippet, ranges } = toSnippet(text, [[at, at + word.length]]);
  const [from, to] = ranges[0] ?? [0, 0];
  return `${snippet.slice(0, from)}[${snippet.slice(from, to)}]${snippet.slice(to)}`;
}

it("begins with the text if the match is near its beginning", () => {
  expect(around("a long\n ibex ", "ibex")).toBe("a long  [ibex] ");
});

it("begins with a whole word, and marks that something was before it", () => {
  const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");
  expect(around(words, "word20 ")).toMatch(/^…word12 word13 .* word19 \[word20 \]word21/);
});

it("cuts anywhere if no word begins, but never through a character", () => {
  expect(around(`${"x".repeat(200)}ibex`, "ibex")).toBe(`…${"x".repeat(60)}[ibex]`);
  expect(around(`${"😀".repeat(100)}yibex`, "ibex")).toBe(`…${"😀".repeat(30)}y[ibex]`);
});

it("without a match is the beginning", () => {
  expect(toSnippet("nothing here", [])).toEqual({ snippet: "nothing here", ranges: [] });
});

it("tells what an expression found, of several texts that are read as one", () => {
  const { query } = parseQuery("/re[a-z]+/");
  const { foundIn } = createTextMatcher(query, 0, true);
  expect(foundIn(["please retry", "remain"])).toEqual([{ text: "retry" }, { text: "remain" }]);
  expect(createTextMatcher(query, 0).foundIn(["please retry"])).toEqual([]);
});

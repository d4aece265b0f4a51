import fc from "fast-check";
import { expect, test } from "vitest";
import { type QueryToken, queryTokens } from "./search-tokens";

const show = ({ kind, negated, name, value }: QueryToken) =>
  `${negated ? "not " : ""}${kind}${name ? ` ${name}` : ""} ${value}`;

test("words, phrases, filters and expressions", () => {
  expect(queryTokens('retry "back off" -flaky tool:Bash -in:output /re+try/ OR x').map(show)).toEqual([
    "word retry",
    "phrase back off",
    "not word flaky",
    "filter tool Bash",
    "not filter in output",
    "regex re+try",
    "or OR",
    "word x",
  ]);
});

test("what is half typed is there already", () => {
  expect(queryTokens("tool:").map(show)).toEqual(["filter tool "]);
  expect(queryTokens('"open').map(show)).toEqual(["phrase open"]);
  expect(queryTokens("/a\\/b").map(show)).toEqual(["regex a\\/b"]);
  expect(queryTokens('file:"my file.ts').map(show)).toEqual(["filter file my file.ts"]);
  expect(queryTokens("-").map(show)).toEqual(["word -"]);
});

test("no string is too odd: pieces follow each other and cover all that is no space", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a:"/-\\ \tOR😀') }), (query) => {
      let at = 0;
      for (const { from, to } of queryTokens(query)) {
        expect(query.slice(at, from).trim()).toBe("");
        expect(to).toBeGreaterThan(from);
        at = to;
      }
      expect(query.slice(at).trim()).toBe("");
    }),
  );
});

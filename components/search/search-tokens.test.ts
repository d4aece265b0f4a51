import fc from "fast-check";
import { expect, test } from "vitest";
import { isOfThisSession, namingSession, queryTokens, withoutPiece } from "./search-tokens";

const show = (query: string) =>
  queryTokens(query).map(
    ({ kind, negated, name, from, to }) =>
      `${negated ? "not " : ""}${kind}${name ? ` ${name}` : ""}: ${query.slice(from, to)}`,
  );

test("words, phrases, filters and expressions, each with its place", () => {
  expect(show('retry "back off" -flaky tool:Bash -in:output /re+try/ (a OR b)')).toEqual([
    "word: retry",
    'phrase: "back off"',
    "not word: -flaky",
    "filter tool: tool:Bash",
    "not filter in: -in:output",
    "regex: /re+try/",
    "bracket: (",
    "word: a",
    "or: OR",
    "word: b",
    "bracket: )",
  ]);
});

test("incomplete pieces are included, and what only looks like a filter is a word", () => {
  expect(show("tool:")).toEqual(["filter tool: tool:"]);
  expect(show('file:"my file.ts')).toEqual(['filter file: file:"my file.ts']);
  expect(show("http://host /usr/bin")).toEqual(["word: http://host", "word: /usr/bin"]);
});

test("pieces follow each other in any string", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('a:"/-\\ ()\tORin😀')) }), (query) => {
      let at = 0;
      for (const { from, to } of queryTokens(query)) {
        expect(from).toBeGreaterThanOrEqual(at);
        expect(to).toBeGreaterThan(from);
        at = to;
      }
    }),
  );
});

test("a piece is removed with the OR that joined only it", () => {
  const without = (query: string) => {
    const filter = queryTokens(query).find(({ kind }) => kind === "filter");
    return filter && withoutPiece(query, filter);
  };
  expect(without("a OR tool:Bash")).toBe("a");
  expect(without("tool:Bash OR a")).toBe("a");
  expect(without("a OR tool:Bash OR b")).toBe("a OR b");
  expect(without("a OR tool:Bash b")).toBe("a OR b");
  expect(without("(a OR tool:Bash) b")).toBe("(a ) b");
  expect(without("  a  tool:Bash  b ")).toBe("a b");
});

test("a query for the open session names it where no session is open", () => {
  expect(namingSession('retry -in:this-session OR in:"This-Session" in:prompt', "s1")).toBe(
    "retry -session:s1 OR session:s1 in:prompt",
  );
  expect(namingSession('"in:this-session" in:text', "s1")).toBe('"in:this-session" in:text');
  expect(
    ["retry in:this-session", "retry -in:this-session", "a OR in:this-session", "retry"].map(isOfThisSession),
  ).toEqual([true, false, false, false]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { type Leaf, parseQuery, type Query } from "./parse-query";

/** A query as nested lists, easy to read in a test. */
function told(query: Query | null): unknown {
  switch (query?.kind) {
    case undefined:
      return null;
    case "not":
      return ["not", told(query.part)];
    case "and":
    case "or":
      return [query.kind, ...query.parts.map(told)];
    case "word":
      return query.text;
    case "phrase":
      return `"${query.text}"`;
    case "regex":
      return `/${query.source}/`;
    case "filter":
      return `${query.name}:${query.value}`;
  }
}

type Piece = string | { query: Query; within: "or" | "and" | "not" };

/** A query as text that reads as the same query. Iterative, as the parser is. */
function printQuery(query: Query | null): string {
  if (query === null) return "";
  let text = "";
  const open: Piece[] = [{ query, within: "or" }];
  while (open.length > 0) {
    const piece = open.pop() as Piece;
    if (typeof piece === "string") text += piece;
    else for (const next of piecesOf(piece.query, piece.within).reverse()) open.push(next);
  }
  return text;
}

function piecesOf(query: Query, within: "or" | "and" | "not"): Piece[] {
  switch (query.kind) {
    case "not":
      // Only brackets can stand between two minus signs.
      return within === "not"
        ? ["(-", { query: query.part, within: "not" }, ")"]
        : ["-", { query: query.part, within: "not" }];
    case "and":
      return bracketed(within === "not", joined(query.parts, "\n", "and"));
    case "or":
      return bracketed(within !== "or", joined(query.parts, "\nOR\n", "and"));
    default:
      return [printLeaf(query)];
  }
}

function bracketed(needed: boolean, pieces: Piece[]): Piece[] {
  return needed ? ["(", ...pieces, ")"] : pieces;
}

function joined(parts: readonly Query[], between: string, within: "and"): Piece[] {
  // Inside an OR a row of words needs no brackets: it binds tighter.
  return parts.flatMap((query, at): Piece[] => [
    ...(at === 0 ? [] : [between]),
    { query, within: between !== "\n" && query.kind === "and" ? "or" : within },
  ]);
}

/** A word or filter as it is typed. */
function printLeaf(leaf: Leaf): string {
  switch (leaf.kind) {
    case "word":
      return leaf.text;
    case "phrase":
      return quote(leaf.text);
    case "regex":
      return `/${leaf.source}/`;
    case "filter":
      return `${leaf.name}:${/^[^\s"()]+$/.test(leaf.value) ? leaf.value : quote(leaf.value)}`;
  }
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Any code point. Not the unit `binary`, which fast-check looks up in a table of all of them that takes a second to make. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

const treeOf = (text: string) => told(parseQuery(text).query);
const errorsOf = (text: string) =>
  parseQuery(text).errors.map(({ from, to, message }) => `${text.slice(from, to)} → ${message}`);

describe("parseQuery", () => {
  it("reads words, phrases, exclusions and alternatives", () => {
    expect(treeOf("")).toBeNull();
    expect(treeOf("fix")).toBe("fix");
    expect(treeOf('fix "the retry" -flaky')).toEqual(["and", "fix", '"the retry"', ["not", "flaky"]]);
    expect(treeOf("a b OR c")).toEqual(["or", ["and", "a", "b"], "c"]);
    expect(treeOf("a (b OR c) -(d e)")).toEqual(["and", "a", ["or", "b", "c"], ["not", ["and", "d", "e"]]]);
  });

  it("reads filters, and treats everything else as words", () => {
    expect(treeOf("tool:mcp__* is:error")).toEqual(["and", "tool:mcp__*", "is:error"]);
    expect(treeOf('project:"my shop"')).toBe("project:my shop");
    expect(treeOf("tokens:>5k before:7d")).toEqual(["and", "tokens:>5k", "before:7d"]);
    expect(treeOf("std::vector https://a.b note:x")).toEqual(["and", "std::vector", "https://a.b", "note:x"]);
  });

  it("reads code and paths as they are", () => {
    expect(treeOf("--force")).toBe("--force");
    expect(treeOf("a - b")).toEqual(["and", "a", "-", "b"]);
    expect(treeOf("/usr/bin/env")).toBe("/usr/bin/env");
    expect(treeOf("foo(x)")).toBe('"foo(x)"');
    expect(treeOf('say"hi" C:\\new')).toEqual(["and", 'say"hi"', "C:\\new"]);
    expect(treeOf("/fo+bar/")).toBe("/fo+bar/");
    expect(treeOf("/\\/ bin/ x")).toEqual(["and", "/\\/ bin/", "x"]);
  });

  it("says where something is wrong, and searches for it as it is", () => {
    expect(errorsOf("x is:late")).toEqual([
      "is:late → is: needs one of error, denied, running, abandoned, compacted, unanswered, starred, hidden",
    ]);
    expect(treeOf("x is:late")).toEqual(["and", "x", '"is:late"']);
    expect(errorsOf('fix "the')).toEqual(['"the → This quote is never closed']);
    expect(errorsOf('fix ""')).toEqual(['"" → There is nothing between these quotes']);
    expect(treeOf('fix "" -""')).toBe("fix");
    expect(treeOf('fix -"" retry')).toEqual(["and", "fix", "retry"]);
    expect(errorsOf("fix (a OR b")).toEqual(["( → This bracket is never closed"]);
    expect(errorsOf("before:2026-13-01 tokens:many")).toEqual([
      "before:2026-13-01 → before: needs a date or an age, such as 2026-03-01 or 7d",
      "tokens:many → tokens: needs a number, such as >5k or <=200",
    ]);
    expect(errorsOf("tool:")).toEqual(["tool: → tool: needs a value, such as tool:Bash"]);
  });

  it("never throws, and a printed query reads as the same query", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "(",
        ")",
        "-",
        "OR",
        '"',
        "\\",
        "/",
        " ",
        ":",
        "tool:",
        "is:error",
        "in:prompt",
        "before:7d",
        "tokens:>5k",
        "a",
        "语",
        "\n",
      ),
      fc.string({ maxLength: 4, unit: anyCharacter }),
    );
    const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (query) => {
        const parsed = parseQuery(query).query;
        expect(parseQuery(printQuery(parsed)).query).toEqual(parsed);
      }),
      sampled(7, 1_000, 50_000),
    );
  });

  it("treats a refused filter as words if its value is valid", () => {
    const refuseFilter = () => "Not here";
    expect(parseQuery("a -tool:Bash x:y in:promt", { refuseFilter })).toEqual({
      query: {
        kind: "and",
        parts: [
          { kind: "word", text: "a" },
          { kind: "not", part: { kind: "phrase", text: "tool:Bash" } },
          { kind: "word", text: "x:y" },
          { kind: "phrase", text: "in:promt" },
        ],
      },
      errors: [
        { from: 3, to: 12, message: "Not here" },
        { from: 17, to: 25, message: expect.stringMatching(/^in: needs one of prompt/) },
      ],
    });
  });

  it("reads a hundred thousand brackets", () => {
    const { query, errors } = parseQuery("(-".repeat(100_000));
    expect(errors).toHaveLength(100_000);
    expect(query).not.toBeUndefined();
    expect(printQuery(parseQuery(`${"-(".repeat(50_000)}a`).query)).toContain("a");
  });
});

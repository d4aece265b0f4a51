import { expect, test } from "vitest";
import { countLines, countPatch } from "./patch-count";

test("the lines of a recorded patch are counted, its context is not", () => {
  const structuredPatch = [
    { lines: [" def greet(name):", '-    print("Helo")', '+    print("Hello")', "+    return"] },
    { lines: ["-x"] },
  ];
  expect(countPatch({ filePath: "/shop/hello.py", structuredPatch })).toEqual({
    path: "/shop/hello.py",
    added: 2,
    removed: 2,
  });
});

test("a created file counts its lines: its patch is empty in every version", () => {
  expect(countPatch({ type: "create", filePath: "/a", content: "one\ntwo\n", structuredPatch: [] })).toEqual({
    path: "/a",
    added: 2,
    removed: 0,
  });
});

test("a result that names no file or has no patch changed none", () => {
  expect(countPatch({ stdout: "x" })).toBeNull();
  expect(countPatch({ filePath: "/a" })).toBeNull();
  expect(countPatch({ filePath: "/a", structuredPatch: [] })).toEqual({ path: "/a", added: 0, removed: 0 });
  expect(
    countPatch({ filePath: "/a", structuredPatch: [null, { lines: [1, "+y"] }, { lines: "no" }] })?.added,
  ).toBe(1);
});

test.each([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["\n", 1],
  ["\n\n", 2],
])("%j has %i lines", (text, lines) => {
  expect(countLines(text)).toBe(lines);
});

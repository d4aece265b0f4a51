import { expect, it } from "vitest";
import { codeSpan, fenceFor, quoteText } from "./write-markdown";

it.each([
  ["npm test", "`npm test`"],
  ["echo `date`", "`` echo `date` ``"],
  ["one\n\ntwo", "`one two`"],
  ["", ""],
])("code within a line: %j", (text, written) => {
  expect(codeSpan(text)).toBe(written);
});

it("a fence is longer than any run of backticks within it", () => {
  expect(fenceFor("no backtick", 3)).toBe("```");
  expect(fenceFor("````md\n````", 3)).toBe("`````");
});

it("a quote begins each line, those that are empty too", () => {
  expect(quoteText("\nFirst\n\nLast\n")).toBe("> First\n> \n> Last");
});

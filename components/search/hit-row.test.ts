import { expect, test } from "vitest";
import { snippetParts } from "./hit-row";

const show = (snippet: string, ranges: [number, number][], lead = 40) =>
  snippetParts({ snippet, ranges }, lead)
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join("");

test("what was found is set apart from what stands between", () => {
  expect(
    show("please retry it, retry", [
      [7, 12],
      [17, 22],
    ]),
  ).toBe("please [retry] it, [retry]");
  expect(show("retry", [[0, 5]])).toBe("[retry]");
  expect(show("", [])).toBe("");
});

test("a find far behind is brought to the front", () => {
  expect(show(`${"x".repeat(20)} retry`, [[21, 26]], 4)).toBe("…xxx [retry]");
});

test("ranges that fit nothing are left out", () => {
  expect(
    show("abc", [
      [2, 1],
      [1, 9],
      [0, 1],
      [0, 2],
    ]),
  ).toBe("[a]bc");
});

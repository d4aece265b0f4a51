import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { formatHitSource, hitState, snippetParts } from "./hit-row";

const show = (snippet: string, ranges: [number, number][], lead = 40) =>
  snippetParts({ snippet, ranges }, lead)
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join("");

test("matches are separated from the text between them", () => {
  expect(
    show("please retry it, retry", [
      [7, 12],
      [17, 22],
    ]),
  ).toBe("please [retry] it, [retry]");
  expect(show("retry", [[0, 5]])).toBe("[retry]");
  expect(show("", [])).toBe("");
});

test("a match far from the beginning is moved into view", () => {
  expect(show(`${"x".repeat(20)} retry`, [[21, 26]], 4)).toBe("…xxx [retry]");
  expect(show("one two three four retry", [[19, 24]], 8)).toBe("…four [retry]");
  expect(show("one two three four retry", [[19, 24]], 11)).toBe("…three four [retry]");
  expect(show(`one ${"\u{1f600}".repeat(20)} retry`, [[45, 50]], 8)).toBe(
    "…\u{1f600}\u{1f600}\u{1f600} [retry]",
  );
});

test("invalid ranges are left out", () => {
  expect(
    show("abc", [
      [2, 1],
      [1, 9],
      [0, 1],
      [0, 2],
    ]),
  ).toBe("[a]bc");
});

test("a result shows its tool, input or output, and how the call ended", () => {
  const place = { turn: 2, branch: null, tool: "Bash", state: "error" as const };
  expect(formatHitSource(makeHit({ field: "output" }), place)).toBe("Bash out");
  expect(formatHitSource(makeHit({ field: "input", tool: "Read" }), undefined)).toBe("Read");
  expect(formatHitSource(makeHit({ field: "output" }), undefined)).toBe("tool output");
  expect(
    formatHitSource(makeHit({ field: "text" }), { turn: 1, branch: null, tool: null, state: null }),
  ).toBe("answer");
  expect([hitState(place)?.word, hitState({ ...place, state: "ok" }), hitState(undefined)]).toEqual([
    "failed",
    null,
    null,
  ]);
});

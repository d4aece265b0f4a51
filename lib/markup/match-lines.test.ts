import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, splitRows } from "./diff-lines";
import { matchLines } from "./match-lines";

const BEFORE = [
  "    const answer = await fetch(`/orders/${id}/pay`, { method: 'POST' });",
  "    document.querySelector('#said').textContent = answer.ok ? 'Thank you!' : 'That did not work.';",
];
const AFTER = [
  "    button.disabled = true;",
  "    button.textContent = 'Paying…';",
  "    const answer = await fetch(`/orders/${id}/pay`, { method: 'POST', headers }).catch(() => null);",
  "    document.querySelector('#said').textContent = answer?.ok ? 'Thank you!' : 'That did not work. Try again.';",
  "    button.disabled = answer.ok;",
];

test("a line goes with its own version, not with whatever stands in its place", () => {
  expect(matchLines(BEFORE, AFTER)).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(matchLines(AFTER, BEFORE)).toEqual([
    [2, 0],
    [3, 1],
  ]);
});

test("lines that are like none of the others have no pair, but one line for one line is one", () => {
  expect(matchLines(["import a from 'a';", "", "run();"], ["class Lamp {", "  light = 3;"])).toEqual([]);
  expect(matchLines(["import a from 'a';"], ["class Lamp {"])).toEqual([[0, 0]]);
});

test("a line that was only moved in by spaces goes with itself before any that is like it", () => {
  expect(matchLines(["go(1);", "go(2);"], ["if (ok) {", "  go(1);", "  go(2);", "}"])).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test("beside each other stand the versions of a line, and what has none between them", () => {
  const lines = ["{", ...BEFORE.map((line) => `-${line}`), ...AFTER.map((line) => `+${line}`), "}"];
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 5, lines: lines.slice(1, -1) };
  const sides = splitRows(diffLines([hunk], { numbersKnown: true })).flatMap((row) =>
    row.kind === "pair" ? [[row.before?.oldLine ?? null, row.after?.newLine ?? null]] : [],
  );
  expect(sides).toEqual([
    [null, 1],
    [null, 2],
    [1, 3],
    [2, 4],
    [null, 5],
  ]);
});

test("without changes of space, lines that were only moved in are no change, also behind a new one", () => {
  const lines = ["-go(1);", "-go(2);", "+if (ok) {", "+  go(1);", "+  go(2);", "+}"];
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 4, lines };
  const shown = diffLines([hunk], { numbersKnown: true, ignoreSpace: true }).flatMap((line) =>
    "text" in line ? `${line.kind} ${line.text}` : [],
  );
  expect(shown).toEqual([
    "hunk @@ 1,4 @@",
    "added if (ok) {",
    "context   go(1);",
    "context   go(2);",
    "added }",
  ]);
});

test("a long block that was moved in is found behind the lines that were put before it", () => {
  const block = Array.from({ length: 90 }, (_, at) => `step(${at}, "of many");`);
  const moved = ["try {", "  begin();", ...block.map((line) => `  ${line}`), "} finally {", "  end();", "}"];
  moved[40] = `  step(38, "of very many");`;
  expect(matchLines(block, moved)).toEqual(block.map((_, at) => [at, at + 2]));
  // Too many lines, none of which is the same: one to one.
  const others = block.map((line) => line.replace("step", "go"));
  expect(matchLines(block, others)).toEqual(block.map((_, at) => [at, at]));
});

test("whatever the lines, pairs are in order on both sides, and none is lost", () => {
  const line = fc.array(fc.constantFrom("go", "on", "(", ")", "x", "veryLongName", " "), { maxLength: 6 });
  const text = line.map((words) => words.join(" "));
  const some = fc.oneof(fc.array(text, { maxLength: 8 }), fc.array(text, { minLength: 45, maxLength: 90 }));
  fc.assert(
    fc.property(some, some, (before, after) => {
      const pairs = matchLines(before, after);
      for (const [nth, [from, to]] of pairs.entries()) {
        expect(from).toBeGreaterThan(pairs[nth - 1]?.[0] ?? -1);
        expect(to).toBeGreaterThan(pairs[nth - 1]?.[1] ?? -1);
        expect(before[from] !== undefined && after[to] !== undefined).toBe(true);
      }
      const lines = [...before.map((text) => `-${text}`), ...after.map((text) => `+${text}`)];
      const hunk = { oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines };
      const rows = splitRows(diffLines([hunk], { numbersKnown: true }));
      const side = (of: "before" | "after") =>
        rows.flatMap((row) => (row.kind === "pair" && row[of] ? [row[of].text] : []));
      expect([side("before"), side("after")]).toEqual([before, after]);
    }),
  );
});

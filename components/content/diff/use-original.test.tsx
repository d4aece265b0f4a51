// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import type { DiffLine } from "@/lib/markup/diff-lines";
import { drawnPage } from "@/lib/testing/drawn-page";
import { type OriginalText, useGaps } from "./use-original";

const LINES: readonly DiffLine[] = [{ kind: "gap", count: 100, oldLine: 1, newLine: 1 }];

/** A file whose lines come when `answer` says so, the request that was made last first. */
function slowOriginal() {
  const waiting: (() => void)[] = [];
  const original: OriginalText = {
    lines: 100,
    at: (line) => `line ${line}`,
    load: () => new Promise((resolve) => waiting.push(resolve)),
  };
  return { original, answer: () => act(async () => waiting.pop()?.()) };
}

it("lines that are shown at both ends of a gap, one before the other has come, are all shown", async () => {
  const { original, answer } = slowOriginal();
  const drawn: ReturnType<typeof useGaps>[] = [];
  function Probe() {
    drawn.push(useGaps(LINES, original, "a.ts"));
    return null;
  }
  const shown = () =>
    drawn
      .at(-1)
      ?.lines.map((line) => (line.kind === "gap" ? `… ${line.count}` : line.kind))
      .join(" ");
  const twenty = Array.from({ length: 20 }, () => "context").join(" ");
  const page = drawnPage();
  await page.draw(<Probe />);
  drawn[0]?.open(1, "top");
  drawn[0]?.open(1, "bottom");
  await answer();
  expect(shown()).toBe(`… 80 ${twenty}`);
  await answer();
  expect(shown()).toBe(`${twenty} … 60 ${twenty}`);
});

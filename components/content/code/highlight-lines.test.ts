import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { expect, it, onTestFinished, vi } from "vitest";
import { GRAMMARS } from "./highlight-languages";
import { highlightLines, THEME } from "./highlight-lines";

async function newCore() {
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--", fontStyle: false })],
    langs: [GRAMMARS.typescript ?? []],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** Has the first looks at the clock be far apart, as those are between which a busy machine compiles a grammar. */
function slowAtFirst(looks: number): void {
  let [nowMs, left] = [0, looks];
  const look = () => {
    left -= 1;
    if (left >= 0) nowMs += 150;
    return nowMs;
  };
  const spies = [vi.spyOn(Date, "now").mockImplementation(look), vi.spyOn(performance, "now")];
  spies[1]?.mockImplementation(() => nowMs);
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}

it("gives the first lines their colours, and all behind them, however long their grammar takes to begin", async () => {
  const code = Array.from({ length: 100 }, (_, at) => `const a${at + 100} = ${at + 100};`).join("\n");
  const core = await newCore();
  slowAtFirst(4);
  const lines = highlightLines(core, code, "typescript");
  expect(lines).toHaveLength(100);
  expect(lines[99]?.length).toBeGreaterThan(8);
  expect(new Set(lines.map((spans) => spans.join()))).toEqual(new Set([lines[99]?.join()]));
});

it("ends on a machine on which nothing is done in time", async () => {
  const core = await newCore();
  slowAtFirst(Number.POSITIVE_INFINITY);
  const code = Array.from({ length: 500 }, () => "const a = 1;").join("\n");
  expect(highlightLines(core, code, "typescript").length).toBeLessThan(500);
});

// @vitest-environment page
import type { ComponentProps } from "react";
import { expect, it } from "vitest";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { TimeTotals } from "./waterfall-model";
import { WaterfallPanel } from "./waterfall-panel";

const NO_TEXTS = { subjects: new Map(), prompts: new Map() };
const NONE = { model: 0, tool: 0, agent: 0, permission: 0, human: 0, idle: 0 };

async function panelOf(
  page: DrawnPage,
  wholeMs: number,
  byKind: Partial<TimeTotals["byKind"]>,
  part: ComponentProps<typeof WaterfallPanel>["part"] = null,
): Promise<string> {
  const totals: TimeTotals = {
    ...{ wholeMs, typingMs: 0, criticalMs: wholeMs, boundMs: 0, calls: 0, tools: [] },
    byKind: { ...NONE, ...byKind },
  };
  const act = () => undefined;
  await page.draw(
    <WaterfallPanel
      {...{ totals, part, slowest: [], texts: NO_TEXTS, selected: null, flawed: 0 }}
      {...{ onSelect: act }}
    />,
  );
  return document.body.textContent ?? "";
}

it("says why the kinds have more time than there was, where they have", async () => {
  const page = drawnPage();
  expect(await panelOf(page, 60_000, { model: 40_000, tool: 20_400 })).not.toContain("at the same time");
  expect(await panelOf(page, 60_000, { model: 40_000, agent: 45_000 })).toContain(
    "These add up to more: what went on at the same time counts in each.",
  );
});

it("says of what is selected what shows that part alone, and what does not", async () => {
  const page = drawnPage();
  const part = {
    ...{ range: { fromMs: 0, toMs: 1_000 }, turns: { shown: 1, all: 3 } },
    ...{ onClear: () => undefined, onChanges: () => undefined, onThread: null, onZoom: () => undefined },
  };
  const said = "Outline, changes and find show this part alone; the thread marks its rows.";
  expect(await panelOf(page, 60_000, {})).not.toContain(said);
  expect(await panelOf(page, 60_000, {}, part)).toContain(said);
});

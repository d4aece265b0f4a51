import { expect, it } from "vitest";
import type { CanvasColours } from "@/components/canvas/canvas-colours";
import { drawNames } from "./draw-names";
import type { WaterfallRow } from "./waterfall-model";
import { WaterfallStore } from "./waterfall-store";

const DIGIT_PX = 6.5;

/** Draws the line of a turn: the box of its number, and where which text stands, on a canvas whose characters are all as wide. */
function turnLine(turn: number, prompt: string) {
  const texts: { text: string; left: number; right: number }[] = [];
  const boxes: { left: number; right: number }[] = [];
  const ctx = {
    measureText: (text: string) => ({ width: text.length * DIGIT_PX }),
    fillText: (text: string, left: number) =>
      texts.push({ text, left, right: left + text.length * DIGIT_PX }),
    fillRect: (left: number, _top: number, wide: number) => boxes.push({ left, right: left + wide }),
  };
  const store = new WaterfallStore();
  store.size = { width: 1_000, height: 600, names: 340, row: 24, head: 24 };
  const row = { kind: "turn", key: "t", turn, startMs: 0, endMs: 1_000, workedMs: 1_000 } as WaterfallRow;
  store.chart = { ...store.chart, rows: [row] };
  const colours = { fg: "fg", bg: "bg", "fg-2": "fg-2", font: "sans-serif", unit: 1 } as CanvasColours;
  drawNames(
    {
      ctx: ctx as unknown as CanvasRenderingContext2D,
      store,
      colours,
      mono: "monospace",
      texts: { subjects: new Map(), prompts: new Map([[turn, prompt]]) },
      selected: -1,
      focused: false,
      nowMs: null,
    },
    0,
    1,
    () => 0,
  );
  const [box] = boxes;
  return {
    box,
    number: texts.find(({ text }) => text === String(turn)),
    prompt: texts.find(({ text }) => text === prompt),
  };
}

it.each([7, 42, 999, 1_000, 12_345])(
  "turn %i has its number whole in its box, and the prompt after it",
  (turn) => {
    const { box, number, prompt } = turnLine(turn, "Fix the retry");
    expect(number?.left).toBeGreaterThanOrEqual(box?.left ?? 0);
    expect(number?.right).toBeLessThanOrEqual(box?.right ?? 0);
    expect(prompt?.left).toBeGreaterThan((box?.right ?? 0) + 4);
  },
);

it("prompts of all turns of a usual session begin at one edge", () => {
  expect(turnLine(7, "Fix the retry").prompt?.left).toBe(turnLine(99, "Fix the retry").prompt?.left);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { timeAxis } from "./time-axis";
import { busyTimes, readSpans, waterfallRows } from "./waterfall-model";
import { layOutChart, timesPx, WaterfallStore } from "./waterfall-store";

/** Turns of one call each, a second long and half a second apart. */
function storeOf(turns: number): WaterfallStore {
  const spans = Array.from({ length: turns }, (_, turn): Span => {
    const startMs = turn * 1_500;
    return {
      id: `t${turn}`,
      parentId: null,
      kind: "tool",
      name: "Bash",
      startMs,
      endMs: startMs + 1_000,
      exact: true,
      critical: true,
      recordId: `m~${turn}` as RecordId,
      block: 0,
      turn: turn + 1,
      path: [[startMs, startMs + 1_000]],
    };
  });
  const model = readSpans(spans);
  const rows = waterfallRows(model, { model: true, waiting: true });
  const store = new WaterfallStore();
  store.setSize({ width: 1_016, height: 624, names: 200, row: 24, head: 24 });
  store.setChart(layOutChart(rows, timeAxis("active", busyTimes(model)), true));
  return store;
}

describe("the chart's camera", () => {
  it("shows all of the time, with a margin, and a turn as wide as the chart", () => {
    const store = storeOf(100);
    store.fit();
    expect(store.pxOf(0)).toBeGreaterThanOrEqual(0);
    expect(store.pxOf(149_500)).toBeLessThanOrEqual(timesPx(store.size));
    expect(store.pxOf(149_500)).toBeGreaterThan(timesPx(store.size) * 0.85);
    store.show({ fromMs: 15_000, toMs: 16_000 });
    expect([store.pxOf(15_000), store.pxOf(16_000)].map(Math.round)).toEqual([40, 760]);
  });

  it("keeps the time under the pointer where it is, however it is zoomed, and never leaves the axis", () => {
    const steps = fc.array(fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), fc.nat(800)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(steps, (list) => {
        const store = storeOf(100);
        store.show({ fromMs: 60_000, toMs: 90_000 });
        for (const [by, px] of list) {
          const ms = store.msAt(px);
          const before = store.camera.perPx;
          store.zoom(by, px);
          const { from, perPx } = store.camera;
          const room = timesPx(store.size) * perPx;
          const first = -room * 0.04;
          const last = Math.max(first, store.chart.axis.length - room * 0.96);
          expect(from).toBeGreaterThanOrEqual(first - 1e-6);
          expect(from).toBeLessThanOrEqual(last + 1e-6);
          // A place on the axis stays when one comes nearer, unless a margin holds it; all give way when one goes away.
          const isHeld = Math.min(from - first, last - from) < 1e-6;
          const stays = perPx < before && !isHeld && ms >= 0 && ms <= store.chart.axis.length;
          expect(stays ? store.msAt(px) : ms).toBeCloseTo(ms, 3);
        }
      }),
    );
  });

  it("comes along the axis when the lines on screen would have nothing to show", () => {
    const store = storeOf(200);
    store.show({ fromMs: 0, toMs: 3_000 });
    store.scrollTo(0);
    const { from } = store.camera;
    store.scrollTo(24);
    expect(store.camera.from).toBe(from);
    store.scrollTo(24 * 200);
    const { from: first } = store.inView();
    const row = store.chart.rows[first];
    const startMs = row?.kind === "turn" ? row.startMs : (row?.span.startMs ?? 0);
    expect(store.pxOf(startMs)).toBeGreaterThan(0);
    expect(store.pxOf(startMs)).toBeLessThan(timesPx(store.size));
  });

  it("knows the line at a height, and each line's parts of the critical path", () => {
    const store = storeOf(3);
    expect([store.rowAt(10), store.rowAt(25), store.rowAt(24 + 25), store.rowAt(600)]).toEqual([
      -1, 0, 1, -1,
    ]);
    expect([...store.chart.pathOf]).toEqual([
      [1, [0]],
      [3, [1]],
      [5, [2]],
    ]);
  });
});

import type { TimeRange } from "@/lib/client/address/session-url";
import { Listeners } from "@/lib/client/listeners";
import { addTo } from "@/lib/format/lists";
import { type TimeAxis, timeAxis } from "./time-axis";
import type { WaterfallRow } from "./waterfall-model";

/** What is drawn: lines, their axis, and where each line's parts of the critical path are. */
export type Chart = {
  rows: readonly WaterfallRow[];
  axis: TimeAxis;
  /** Parts of the critical path by time, each with its line. */
  path: readonly { row: number; fromMs: number; toMs: number }[];
  /** Line → its parts in `path`. */
  pathOf: ReadonlyMap<number, readonly number[]>;
};

/** Lays lines out along an axis. @param onPath the lines' parts of the critical path are drawn */
export function layOutChart(rows: readonly WaterfallRow[], axis: TimeAxis, onPath: boolean): Chart {
  const path = rows
    .flatMap((row, index) => {
      if (row.kind === "turn" || !onPath) return [];
      const own = [row.span, ...(row.call ? [row.call] : []), ...row.inside].flatMap(
        (span) => span.path ?? [],
      );
      return own.map(([fromMs, toMs]) => ({ row: index, fromMs, toMs }));
    })
    .sort((a, b) => a.fromMs - b.fromMs);
  const pathOf = new Map<number, number[]>();
  for (const [index, { row }] of path.entries()) {
    addTo(pathOf, row, index);
  }
  return { rows, axis, path, pathOf };
}

const EMPTY_CHART: Chart = layOutChart([], timeAxis("clock", []), false);

/** Which part of the chart is on screen: `from` on the axis at the left edge, milliseconds of it a pixel, and how far down. */
export type WaterfallCamera = { from: number; perPx: number; top: number };

/** Measures of the chart, in pixels. `names` is the column on the left. */
export type ChartSize = { width: number; height: number; names: number; row: number; head: number };

/** No nearer than this many milliseconds a pixel. */
const MIN_PER_PX = 0.02;
const RIGHT_PX = 16;

/** The width of the part with times. */
export function timesPx({ width, names }: ChartSize): number {
  return Math.max(40, width - names - RIGHT_PX);
}

/**
 * Where the reader is in the chart. It changes with every frame of a gesture, so it lives outside of React's state, and
 * whoever draws is told.
 */
export class WaterfallStore {
  readonly #listeners = new Listeners();
  camera: WaterfallCamera = { from: 0, perPx: 1, top: 0 };
  size: ChartSize = { width: 0, height: 0, names: 0, row: 24, head: 24 };
  chart: Chart = EMPTY_CHART;
  /** What is being selected, or was. */
  range: TimeRange | null = null;

  subscribe = this.#listeners.add;

  #tell(): void {
    this.#listeners.tell();
  }

  setChart(chart: Chart): void {
    const isFirst = this.chart.rows.length === 0;
    const at = isFirst ? null : this.chart.axis.timeAt(this.camera.from);
    this.chart = chart;
    if (at !== null) this.camera = this.#clamped({ ...this.camera, from: chart.axis.placeOf(at) });
    this.#tell();
  }

  setSize(size: ChartSize): void {
    this.size = size;
    this.set(this.camera);
  }

  set(camera: WaterfallCamera): void {
    this.camera = this.#clamped(camera);
    this.#tell();
  }

  setRange(range: TimeRange | null): void {
    this.range = range;
    this.#tell();
  }

  scrollTo(top: number): void {
    this.camera = { ...this.camera, top };
    this.#comeAlong();
    this.#tell();
  }

  #clamped({ from, perPx, top }: WaterfallCamera): WaterfallCamera {
    const { length } = this.chart.axis;
    const px = timesPx(this.size);
    const scale = Math.min(Math.max(perPx, MIN_PER_PX), this.#wholePerPx());
    const room = px * scale;
    // A margin at both ends keeps what begins or ends there from sticking to the edge.
    const least = -room * 0.04;
    const most = Math.max(least, length - room * 0.96);
    return { from: Math.min(Math.max(from, least), most), perPx: scale, top };
  }

  #wholePerPx(): number {
    return Math.max(MIN_PER_PX * 2, (this.chart.axis.length / timesPx(this.size)) * 1.09);
  }

  /** Shows the whole axis. */
  fit = (): void => this.set({ ...this.camera, from: 0, perPx: this.#wholePerPx() });

  /** Shows a part of the time, with some room around it. */
  show({ fromMs, toMs }: TimeRange): void {
    const { placeOf } = this.chart.axis;
    const [from, to] = [placeOf(fromMs), placeOf(toMs)];
    const perPx = Math.max((to - from) / (timesPx(this.size) * 0.9), MIN_PER_PX);
    this.set({ ...this.camera, from: from - perPx * timesPx(this.size) * 0.05, perPx });
  }

  /** Zooms by a factor around a place, in pixels from the left edge of the times; around their middle without one. */
  zoom = (by: number, atPx = timesPx(this.size) / 2): void => {
    const { from, perPx } = this.camera;
    const next = this.#clamped({ ...this.camera, perPx: perPx / by }).perPx;
    this.set({ ...this.camera, from: from + atPx * (perPx - next), perPx: next });
  };

  /** Moves along the axis by pixels. */
  pan = (px: number): void => this.set({ ...this.camera, from: this.camera.from + px * this.camera.perPx });

  /** Pixels from the left edge of the times. */
  pxOf = (ms: number): number => (this.chart.axis.placeOf(ms) - this.camera.from) / this.camera.perPx;

  msAt = (px: number): number => this.chart.axis.timeAt(this.camera.from + px * this.camera.perPx);

  /** The lines on screen, the last one excluded. */
  inView(): { from: number; to: number } {
    const { top } = this.camera;
    const { row, height, head } = this.size;
    const from = Math.max(0, Math.floor(top / row));
    return { from, to: Math.min(this.chart.rows.length, Math.ceil((top + height - head) / row)) };
  }

  /** The line at a height of the chart; -1 where there is none. */
  rowAt(y: number): number {
    const { row, head } = this.size;
    const index = y < head ? -1 : Math.floor((y - head + this.camera.top) / row);
    return index < this.chart.rows.length ? index : -1;
  }

  /** Moves along the axis where nothing of the lines on screen would be in view: one scrolls to see them. */
  #comeAlong(): void {
    const { from, to } = this.inView();
    const times = timesPx(this.size);
    let nearest: number | null = null;
    for (let index = from; index < to; index++) {
      const extent = extentOfRow(this.chart.rows[index]);
      if (!extent) continue;
      if (this.pxOf(extent.fromMs) < times && this.pxOf(extent.toMs) > 0) return;
      nearest ??= this.chart.axis.placeOf(extent.fromMs);
    }
    if (nearest !== null)
      this.camera = this.#clamped({ ...this.camera, from: nearest - times * this.camera.perPx * 0.08 });
  }

  /** Moves along the axis just as far as is needed to see a line's beginning. */
  reveal(index: number): void {
    const extent = extentOfRow(this.chart.rows[index]);
    if (!extent) return;
    const times = timesPx(this.size);
    const [left, right] = [this.pxOf(extent.fromMs), this.pxOf(extent.toMs)];
    if (left >= 0 && (right <= times || left <= times * 0.7)) return;
    this.pan(left - Math.min(times * 0.1, Math.max(0, times - (right - left))));
  }
}

/** From when to when a line is drawn; `null` for a turn without times. */
export function extentOfRow(row: WaterfallRow | undefined): TimeRange | null {
  if (!row) return null;
  if (row.kind === "turn")
    return Number.isFinite(row.startMs) ? { fromMs: row.startMs, toMs: row.endMs } : null;
  return { fromMs: row.span.startMs, toMs: row.span.endMs };
}

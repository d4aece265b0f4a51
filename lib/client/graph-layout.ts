import type { GraphItem, GraphModel } from "./graph-model";

/** Pixels at 100 %. */
export const ROW_PX = 74;
export const GAP_PX = 12;
const LEAD_PX = 20;
const BESIDE_PX = 26;
const GROUP_PX = 100;

/** Where everything stands at 100 %: x in pixels from the graph's left edge, rows below (+) or above (−) the main line. */
export type GraphLayout = {
  model: GraphModel;
  x: Float64Array;
  width: Float64Array;
  /** Of each line its row, and from where to where it is drawn. */
  row: Int32Array;
  lineX0: Float64Array;
  lineX1: Float64Array;
  /** Where an agent's answer comes back, NaN for what brings none. */
  backX: Float64Array;
  top: number;
  bottom: number;
  widthPx: number;
};

type Plan = {
  /** Line → the lines that leave it, agents above it, branches below. */
  up: number[][];
  down: number[][];
  /** Lines so that each comes before those that leave it. */
  order: number[];
};

/**
 * Lays the graph out: every line from left to right, an agent above the items between which it is out, a
 * branch below the item that it leaves, none over another. Costs one visit an item and a few a line.
 */
export function layOutGraph(model: GraphModel): GraphLayout {
  const { items, lines } = model;
  const plan = planLines(model);
  const x = new Float64Array(items.length);
  const width = Float64Array.from(items, widthOf);
  const numbers = () => new Float64Array(lines.length);
  const own = { width: numbers(), left: numbers(), right: numbers(), back: numbers().fill(Number.NaN) };
  const place = { x: numbers(), row: new Int32Array(lines.length) };
  const height = { up: new Int32Array(lines.length), down: new Int32Array(lines.length) };

  for (const line of [...plan.order].reverse()) {
    own.width[line] = placeItems(model, plan, line, x, width, own.width, place.x, own.back);
    own.right[line] = own.width[line] ?? 0;
    for (const child of plan.down[line] ?? []) {
      const leaves = lines[child]?.leaves ?? -1;
      place.x[child] = leaves === -1 ? 0 : (x[leaves] ?? 0) + (width[leaves] ?? 0) + GAP_PX + 8;
    }
    const stack = (children: readonly number[], ascending: boolean) =>
      stackBlocks(
        children,
        ascending,
        place,
        own,
        height,
        (child) => (ascending ? height.down : height.up)[child] ?? 0,
      );
    height.up[line] = stack(plan.up[line] ?? [], true);
    height.down[line] = stack(plan.down[line] ?? [], false);
    for (const child of [...(plan.up[line] ?? []), ...(plan.down[line] ?? [])]) {
      own.left[line] = Math.min(own.left[line] ?? 0, (place.x[child] ?? 0) + (own.left[child] ?? 0));
      own.right[line] = Math.max(own.right[line] ?? 0, (place.x[child] ?? 0) + (own.right[child] ?? 0));
    }
  }
  return absolute(model, plan, { x, width, place, own });
}

function widthOf({ kind, rows, turn, turns }: GraphItem): number {
  switch (kind) {
    case "group":
      return GROUP_PX;
    case "turn":
      return Math.max(24, 10 + (turns > 1 ? 2 * String(turn).length + 1 : String(turn).length) * 7);
    case "compaction":
      return 16;
    case "row":
      return 20;
    case "run":
      return Math.max(28, Math.min(112, 18 + rows * 6));
  }
}

function planLines({ lines }: GraphModel): Plan {
  const up: number[][] = lines.map(() => []);
  const down: number[][] = lines.map(() => []);
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    // What no call started hangs from the main line's beginning.
    const parent = line.parent === -1 ? 0 : line.parent;
    const isAgent = line.agent !== null && line.agent !== lines[parent]?.agent;
    (isAgent ? up : down)[parent]?.push(index);
  }
  const order = lines.length > 0 ? [0] : [];
  for (let next = 0; next < order.length; next++) {
    const line = order[next] ?? 0;
    order.push(...(up[line] ?? []), ...(down[line] ?? []));
  }
  return { up, down, order };
}

/** Places a line's items from 0 on, wide enough for its agents, and its agents over them. Answers its width. */
function placeItems(
  { lines, items }: GraphModel,
  { up }: Plan,
  line: number,
  x: Float64Array,
  width: Float64Array,
  widths: Float64Array,
  placeX: Float64Array,
  backX: Float64Array,
): number {
  const { from = 0, to = 0 } = lines[line] ?? {};
  const leaving = new Map<number, number[]>();
  for (const child of up[line] ?? []) {
    const item = Math.max(from, lines[child]?.leaves ?? from);
    leaving.set(item, [...(leaving.get(item) ?? []), child]);
  }
  const until = new Map<number, number>();
  let cursor = 0;
  for (let item = from; item < to; item++) {
    if (items[item]?.kind === "row" && items[item - 1]?.kind === "row" && item > from) cursor -= GAP_PX - 8;
    x[item] = Math.max(cursor, until.get(item) ?? 0);
    for (const child of leaving.get(item) ?? []) {
      placeX[child] = (x[item] ?? 0) + LEAD_PX + 8;
      const returns = lines[child]?.returns ?? -1;
      const back = (placeX[child] ?? 0) + (widths[child] ?? 0) + LEAD_PX;
      if (returns === item) width[item] = Math.max(width[item] ?? 0, back + 8 - (x[item] ?? 0));
      else if (returns > item && returns < to) until.set(returns, Math.max(until.get(returns) ?? 0, back));
    }
    cursor = (x[item] ?? 0) + (width[item] ?? 0) + GAP_PX;
  }
  for (const child of up[line] ?? []) {
    const returns = lines[child]?.returns ?? -1;
    if (returns < from || returns >= to) continue;
    const beside = (placeX[child] ?? 0) + (widths[child] ?? 0);
    const later = returns > Math.max(from, lines[child]?.leaves ?? from);
    // Relative to the agent's own line.
    backX[child] = (later ? (x[returns] ?? 0) + 4 : beside) - (placeX[child] ?? 0);
  }
  return Math.max(0, cursor - GAP_PX);
}

/**
 * Stacks blocks (a line with all that leaves it) away from their line, each in the nearest rows that are
 * free over its whole width. Answers how many rows it took. Agents are stacked from the left, branches from
 * the right, so that the lines to them cross as little as can be.
 */
function stackBlocks(
  children: readonly number[],
  ascending: boolean,
  place: { x: Float64Array; row: Int32Array },
  own: { left: Float64Array; right: Float64Array; back: Float64Array },
  height: { up: Int32Array; down: Int32Array },
  near: (child: number) => number,
): number {
  const start = (child: number) => (place.x[child] ?? 0) + (own.left[child] ?? 0) - BESIDE_PX;
  const end = (child: number) => {
    const back = own.back[child] ?? Number.NaN;
    const right = own.right[child] ?? 0;
    return (place.x[child] ?? 0) + (back > right ? back : right) + BESIDE_PX;
  };
  const sorted = [...children].sort((a, b) =>
    ascending ? start(a) - start(b) || end(a) - end(b) : start(b) - start(a) || a - b,
  );
  /** Row → how far it is taken: to the right of what is there, or to the left. */
  const taken: number[] = [];
  const free = (row: number, child: number) => {
    const edge = taken[row];
    return edge === undefined || (ascending ? edge <= start(child) : edge >= end(child));
  };
  for (const child of sorted) {
    const rows = 1 + (height.up[child] ?? 0) + (height.down[child] ?? 0);
    let row = 0;
    for (let fits = 0; fits < rows; ) {
      if (free(row + fits, child)) fits++;
      else {
        row += fits + 1;
        fits = 0;
      }
    }
    for (let i = row; i < row + rows; i++) taken[i] = ascending ? end(child) : start(child);
    place.row[child] = row + 1 + near(child);
  }
  return taken.length;
}

function absolute(
  model: GraphModel,
  plan: Plan,
  {
    x,
    width,
    place,
    own,
  }: {
    x: Float64Array;
    width: Float64Array;
    place: { x: Float64Array; row: Int32Array };
    own: { width: Float64Array; back: Float64Array };
  },
): GraphLayout {
  const { lines } = model;
  const row = new Int32Array(lines.length);
  const lineX0 = new Float64Array(lines.length);
  const lineX1 = new Float64Array(lines.length);
  const backX = new Float64Array(lines.length);
  let top = 0;
  let bottom = 0;
  let widthPx = 0;
  for (const line of plan.order) {
    const { from = 0, to = 0 } = lines[line] ?? {};
    const left = lineX0[line] ?? 0;
    for (let item = from; item < to; item++) x[item] = (x[item] ?? 0) + left;
    lineX1[line] = left + (own.width[line] ?? 0);
    backX[line] = left + (own.back[line] ?? Number.NaN);
    widthPx = Math.max(widthPx, lineX1[line] ?? 0);
    top = Math.min(top, row[line] ?? 0);
    bottom = Math.max(bottom, row[line] ?? 0);
    for (const [children, sign] of [
      [plan.up[line] ?? [], -1],
      [plan.down[line] ?? [], 1],
    ] as const) {
      for (const child of children) {
        row[child] = (row[line] ?? 0) + sign * (place.row[child] ?? 1);
        lineX0[child] = left + (place.x[child] ?? 0);
      }
    }
  }
  return { model, x, width, row, lineX0, lineX1, backX, top, bottom, widthPx };
}

import { addTo } from "@/lib/format/lists";
import type { GraphItem, GraphModel } from "./graph-model";

/** Distance between lines in pixels at 100 %. */
export const ROW_PX = 74;
const GAP_PX = 12;
/** Rows of an opened run are closer together. */
const ROW_GAP_PX = 8;
/** Horizontal distance between an agent's first or last item and the item it leaves from or returns to. */
const LEAD_PX = 20;
const GROUP_PX = 100;

/** All coordinates at 100 %: x in pixels from the graph's left edge, rows below (+) or above (−) the main line. */
export type GraphLayout = {
  model: GraphModel;
  x: Float64Array;
  width: Float64Array;
  /** For each line: its row, and where it begins and ends. */
  row: Int32Array;
  lineX0: Float64Array;
  lineX1: Float64Array;
  /** Where an agent's answer returns, and to which line: always a place on that line. NaN and -1 if it doesn't. */
  backX: Float64Array;
  backLine: Int32Array;
  top: number;
  bottom: number;
  widthPx: number;
};

/** A layout in progress: lines are positioned relative to the line they leave, items relative to their line. */
type Draft = {
  model: GraphModel;
  plan: GraphPlan;
  itemX: Float64Array;
  itemWidth: Float64Array;
  lines: DraftLine[];
};

type DraftLine = {
  x: number;
  row: number;
  width: number;
  /** The extent of the line with everything that leaves it. */
  left: number;
  right: number;
  /** Where its answer returns; NaN where it doesn't. */
  back: number;
  rowsAbove: number;
  rowsBelow: number;
};

/**
 * Computes the layout. Lines run from left to right: an agent above the items it runs alongside, a branch below the
 * item it leaves, and none overlap. Inner lines come first, since an item is as wide as the agents above it need.
 * Linear in items and lines, except for stacking the lines that leave a common parent.
 */
export function layOutGraph(model: GraphModel): GraphLayout {
  const plan = planLines(model);
  const draft: Draft = {
    model,
    plan,
    itemX: new Float64Array(model.items.length),
    itemWidth: Float64Array.from(model.items, widthOf),
    lines: model.lines.map(() => ({
      x: 0,
      row: 0,
      width: 0,
      left: 0,
      right: 0,
      back: Number.NaN,
      rowsAbove: 0,
      rowsBelow: 0,
    })),
  };
  for (const line of [...plan.order].reverse()) {
    placeItems(draft, line);
    placeBranches(draft, line);
    stackLines(draft, line);
  }
  return absolute(draft);
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

/** Positions a line's items, starting at 0 and wide enough for its agents, and the agents above them. */
function placeItems({ model, plan, itemX, itemWidth, lines }: Draft, line: number): void {
  const { items } = model;
  const { from = 0, to = 0 } = model.lines[line] ?? {};
  const agents = plan.above[line] ?? [];
  const leaving = new Map<number, number[]>();
  for (const agent of agents) {
    const item = Math.max(from, model.lines[agent]?.leaves ?? from);
    addTo(leaving, item, agent);
  }
  /** Item → its smallest x, where an agent returns to it. */
  const earliest = new Map<number, number>();
  let cursor = 0;
  for (let item = from; item < to; item++) {
    const goesOn = items[item]?.kind === "row" && items[item - 1]?.kind === "row" && item > from;
    const x = Math.max(goesOn ? cursor - GAP_PX + ROW_GAP_PX : cursor, earliest.get(item) ?? 0);
    itemX[item] = x;
    for (const agent of leaving.get(item) ?? []) {
      const draft = lines[agent] as DraftLine;
      const returns = model.lines[agent]?.returns ?? -1;
      draft.x = x + LEAD_PX + ROW_GAP_PX;
      const back = draft.x + draft.width + LEAD_PX;
      if (returns === item) itemWidth[item] = Math.max(itemWidth[item] ?? 0, back + ROW_GAP_PX - x);
      else if (returns > item && returns < to)
        earliest.set(returns, Math.max(earliest.get(returns) ?? 0, back));
    }
    cursor = x + (itemWidth[item] ?? 0) + GAP_PX;
  }
  for (const agent of agents) {
    const { leaves = from, returns = -1 } = model.lines[agent] ?? {};
    const draft = lines[agent] as DraftLine;
    if (returns < from || returns >= to) continue;
    // Relative to the agent's own line: at a later item, or right after its end.
    draft.back = returns > Math.max(from, leaves) ? (itemX[returns] ?? 0) + 4 - draft.x : draft.width;
  }
  const own = lines[line] as DraftLine;
  own.width = Math.max(0, cursor - GAP_PX);
  own.right = own.width;
}

/** Positions branches right after the item they leave. */
function placeBranches({ model, plan, itemX, itemWidth, lines }: Draft, line: number): void {
  for (const branch of plan.below[line] ?? []) {
    const leaves = model.lines[branch]?.leaves ?? -1;
    const draft = lines[branch] as DraftLine;
    draft.x = leaves === -1 ? 0 : (itemX[leaves] ?? 0) + (itemWidth[leaves] ?? 0) + GAP_PX + ROW_GAP_PX;
  }
}

/** Assigns rows to the lines that leave this one, and adds up the room they take. */
function stackLines({ plan, lines }: Draft, line: number): void {
  const own = lines[line] as DraftLine;
  const [above, below] = [plan.above[line] ?? [], plan.below[line] ?? []];
  const blockOf =
    (isAbove: boolean) =>
    (child: number): GraphBlock => {
      const { x, left, right, back, rowsAbove, rowsBelow } = lines[child] as DraftLine;
      const [near, far] = isAbove ? [rowsBelow, rowsAbove] : [rowsAbove, rowsBelow];
      return { line: child, left: x + left, right: x + (back > right ? back : right), near, far };
    };
  const agents = stackBlocks(above.map(blockOf(true)), true);
  const branches = stackBlocks(below.map(blockOf(false)), false);
  own.rowsAbove = agents.rows;
  own.rowsBelow = branches.rows;
  for (const child of [...above, ...below]) {
    const draft = lines[child] as DraftLine;
    draft.row = agents.rowOf.get(child) ?? branches.rowOf.get(child) ?? 1;
    own.left = Math.min(own.left, draft.x + draft.left);
    own.right = Math.max(own.right, draft.x + draft.right);
  }
}

/** Converts positions relative to parents into absolute ones. */
function absolute({ model, plan, itemX, itemWidth, lines }: Draft): GraphLayout {
  const count = model.lines.length;
  const layout: GraphLayout = {
    model,
    x: itemX,
    width: itemWidth,
    row: new Int32Array(count),
    lineX0: new Float64Array(count),
    lineX1: new Float64Array(count),
    backX: new Float64Array(count).fill(Number.NaN),
    backLine: new Int32Array(count).fill(-1),
    top: 0,
    bottom: 0,
    widthPx: 0,
  };
  for (const line of plan.order) {
    const { from = 0, to = 0 } = model.lines[line] ?? {};
    const { width } = lines[line] as DraftLine;
    const left = layout.lineX0[line] ?? 0;
    const row = layout.row[line] ?? 0;
    for (let item = from; item < to; item++) itemX[item] = (itemX[item] ?? 0) + left;
    layout.lineX1[line] = left + width;
    layout.widthPx = Math.max(layout.widthPx, left + width);
    layout.top = Math.min(layout.top, row);
    layout.bottom = Math.max(layout.bottom, row);
    const assign = (child: number, rows: number) => {
      layout.row[child] = row + rows;
      layout.lineX0[child] = left + (lines[child]?.x ?? 0);
    };
    for (const child of plan.above[line] ?? []) assign(child, -(lines[child]?.row ?? 1));
    for (const child of plan.below[line] ?? []) assign(child, lines[child]?.row ?? 1);
  }
  for (const line of plan.order) placeReturn(layout, line);
  return layout;
}

/** How far beside an agent its strokes run: those of agents further out stand further aside. */
export function asideOf({ row }: Pick<GraphLayout, "row">, line: number, other: number): number {
  return 8 + 4 * Math.min(4, Math.max(0, Math.abs((row[line] ?? 0) - (row[other] ?? 0)) - 1));
}

/** Places an answer's return on the line of the item that it comes back to, wherever that line runs. */
function placeReturn(layout: GraphLayout, line: number): void {
  const { items, lines, lineOf } = layout.model;
  const { leaves = -1, returns = -1 } = lines[line] ?? {};
  if (leaves === -1 || returns === -1 || returns >= items.length) return;
  const target = lineOf[returns] ?? 0;
  const aside = asideOf(layout, line, target);
  const isParent = target === lineOf[leaves];
  // Answers that return to the item they left are drawn side by side, like the agents that leave it.
  const x =
    isParent && returns <= leaves
      ? (layout.lineX1[line] ?? 0) + aside
      : (layout.x[returns] ?? 0) + 4 + (isParent ? aside - 8 : 0);
  layout.backX[line] = Math.max(layout.lineX0[target] ?? 0, Math.min(layout.lineX1[target] ?? 0, x));
  layout.backLine[line] = target;
}

/** Which lines leave which, and an order in which they can be positioned. */
export type GraphPlan = {
  /** Line → the lines that leave it: agents are drawn above it, branches below. */
  above: number[][];
  below: number[][];
  /** Parents before the lines that leave them. */
  order: number[];
};

/** Plans the lines of a graph in one pass. */
function planLines({ lines }: GraphModel): GraphPlan {
  const above: number[][] = lines.map(() => []);
  const below: number[][] = lines.map(() => []);
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    // A line that no call started leaves the start of the main line.
    const parent = line.parent === -1 ? 0 : line.parent;
    const isAgent = line.agent !== null && line.agent !== lines[parent]?.agent;
    (isAgent ? above : below)[parent]?.push(index);
  }
  const order = lines.length > 0 ? [0] : [];
  for (let next = 0; next < order.length; next++) {
    const line = order[next] ?? 0;
    order.push(...(above[line] ?? []), ...(below[line] ?? []));
  }
  return { above, below, order };
}

/** Free room on both sides of a line, for the strokes to and from its parent. */
const BESIDE_PX = 26;

/** A line with everything that leaves it, as its parent stacks it. Positions are relative to the parent's start. */
export type GraphBlock = {
  line: number;
  /** The horizontal extent, including the stroke back to the parent. */
  left: number;
  right: number;
  /** Rows taken on the parent's side and on the other side, not counting the line itself. */
  near: number;
  far: number;
};

/**
 * Stacks blocks away from their parent, each in the nearest rows that are free over its whole width. Returns the row of
 * each block's line (1 is next to the parent) and how many rows all of them take. Agents (`leftFirst`) are stacked from
 * the left, branches from the right, which keeps crossing strokes rare.
 */
function stackBlocks(
  blocks: readonly GraphBlock[],
  leftFirst: boolean,
): { rowOf: ReadonlyMap<number, number>; rows: number } {
  const start = ({ left }: GraphBlock) => left - BESIDE_PX;
  const end = ({ right }: GraphBlock) => right + BESIDE_PX;
  const sorted = [...blocks].sort((a, b) =>
    leftFirst ? start(a) - start(b) || end(a) - end(b) : start(b) - start(a) || a.line - b.line,
  );
  /** Row → how far it is occupied: up to this x, or from it on. */
  const taken: number[] = [];
  const isFree = (row: number, block: GraphBlock) => {
    const edge = taken[row];
    return edge === undefined || (leftFirst ? edge <= start(block) : edge >= end(block));
  };
  const rowOf = new Map<number, number>();
  for (const block of sorted) {
    const high = 1 + block.near + block.far;
    let row = 0;
    for (let free = 0; free < high; ) {
      if (isFree(row + free, block)) free++;
      else {
        row += free + 1;
        free = 0;
      }
    }
    for (let i = row; i < row + high; i++) taken[i] = leftFirst ? end(block) : start(block);
    rowOf.set(block.line, row + 1 + block.near);
  }
  return { rowOf, rows: taken.length };
}

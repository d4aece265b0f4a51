import type { GraphItem, GraphModel } from "./graph-model";

/** Pixels at 100 %. */
export const ROW_PX = 74;
const GAP_PX = 12;
/** Rows of an opened run stand closer. */
const ROW_GAP_PX = 8;
/** From the item that an agent leaves to its first item, and back. */
const LEAD_PX = 20;
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

/** A layout in the making: places of lines are relative to the line that they leave, of items to their line. */
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
  /** How far it and all that leaves it reach. */
  left: number;
  right: number;
  /** Where its answer comes back, NaN for what brings none. */
  back: number;
  rowsAbove: number;
  rowsBelow: number;
};

/**
 * Lays the graph out: every line from left to right, an agent above the items between which it is out, a
 * branch below the item that it leaves, none over another. Inner lines first: a line's items are as wide
 * as the agents over them need. Costs one visit an item and a few a line.
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

/** Places a line's items from 0 on, wide enough for its agents, and its agents over them. */
function placeItems({ model, plan, itemX, itemWidth, lines }: Draft, line: number): void {
  const { items } = model;
  const { from = 0, to = 0 } = model.lines[line] ?? {};
  const agents = plan.above[line] ?? [];
  const leaving = new Map<number, number[]>();
  for (const agent of agents) {
    const item = Math.max(from, model.lines[agent]?.leaves ?? from);
    leaving.set(item, [...(leaving.get(item) ?? []), agent]);
  }
  /** Item → where it may begin at the earliest: an agent comes back to it. */
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
    // Relative to the agent's own line: to a later item, or right behind its end.
    draft.back = returns > Math.max(from, leaves) ? (itemX[returns] ?? 0) + 4 - draft.x : draft.width;
  }
  const own = lines[line] as DraftLine;
  own.width = Math.max(0, cursor - GAP_PX);
  own.right = own.width;
}

/** A branch begins behind the item that it leaves. */
function placeBranches({ model, plan, itemX, itemWidth, lines }: Draft, line: number): void {
  for (const branch of plan.below[line] ?? []) {
    const leaves = model.lines[branch]?.leaves ?? -1;
    const draft = lines[branch] as DraftLine;
    draft.x = leaves === -1 ? 0 : (itemX[leaves] ?? 0) + (itemWidth[leaves] ?? 0) + GAP_PX + ROW_GAP_PX;
  }
}

/** Gives the lines that leave this one their rows, and the line the room that all of them take. */
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

/** From places beside parents to places on the picture. */
function absolute({ model, plan, itemX, itemWidth, lines }: Draft): GraphLayout {
  const count = model.lines.length;
  const layout: GraphLayout = {
    model,
    x: itemX,
    width: itemWidth,
    row: new Int32Array(count),
    lineX0: new Float64Array(count),
    lineX1: new Float64Array(count),
    backX: new Float64Array(count),
    top: 0,
    bottom: 0,
    widthPx: 0,
  };
  for (const line of plan.order) {
    const { from = 0, to = 0 } = model.lines[line] ?? {};
    const { width, back } = lines[line] as DraftLine;
    const left = layout.lineX0[line] ?? 0;
    const row = layout.row[line] ?? 0;
    for (let item = from; item < to; item++) itemX[item] = (itemX[item] ?? 0) + left;
    layout.lineX1[line] = left + width;
    layout.backX[line] = left + back;
    layout.widthPx = Math.max(layout.widthPx, left + width);
    layout.top = Math.min(layout.top, row);
    layout.bottom = Math.max(layout.bottom, row);
    const place = (child: number, rows: number) => {
      layout.row[child] = row + rows;
      layout.lineX0[child] = left + (lines[child]?.x ?? 0);
    };
    for (const child of plan.above[line] ?? []) place(child, -(lines[child]?.row ?? 1));
    for (const child of plan.below[line] ?? []) place(child, lines[child]?.row ?? 1);
  }
  return layout;
}

/** Which lines leave which, and in what order they can be placed. */
export type GraphPlan = {
  /** Line → the lines that leave it: agents are drawn above it, branches below. */
  above: number[][];
  below: number[][];
  /** Lines so that each comes before those that leave it. */
  order: number[];
};

/** Plans the lines of a graph. One visit a line. */
export function planLines({ lines }: GraphModel): GraphPlan {
  const above: number[][] = lines.map(() => []);
  const below: number[][] = lines.map(() => []);
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    // What no call started hangs from the main line's beginning.
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

/** Room kept free beside a line, for the strokes that lead to it and back. */
const BESIDE_PX = 26;

/** A line with all that leaves it, as its parent stacks it. All places are relative to the parent's beginning. */
export type GraphBlock = {
  line: number;
  /** From where to where it needs room, its way back to the parent included. */
  left: number;
  right: number;
  /** Rows that it takes on the side of the parent and on the other side, itself not counted. */
  near: number;
  far: number;
};

/**
 * Stacks blocks away from their parent, each in the nearest rows that are free over its whole width: answers
 * the row of each block's line, 1 beside the parent, and how many rows all of them take. Agents (`leftFirst`)
 * are stacked from the left, branches from the right, so that the strokes to them cross as little as can be.
 */
export function stackBlocks(
  blocks: readonly GraphBlock[],
  leftFirst: boolean,
): { rowOf: ReadonlyMap<number, number>; rows: number } {
  const start = ({ left }: GraphBlock) => left - BESIDE_PX;
  const end = ({ right }: GraphBlock) => right + BESIDE_PX;
  const sorted = [...blocks].sort((a, b) =>
    leftFirst ? start(a) - start(b) || end(a) - end(b) : start(b) - start(a) || a.line - b.line,
  );
  /** Row → how far it is taken: to the right of what is there, or to the left. */
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

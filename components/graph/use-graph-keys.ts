import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { lastAtOrBefore } from "./graph-find";
import type { GraphLayout } from "./graph-layout";

const MOVES: readonly [keys: readonly string[], move: GraphMove, label: string, dx: number, dy: number][] = [
  [["ArrowLeft", "h"], "parent", "previous", -1, 0],
  [["ArrowRight", "l"], "child", "next", 1, 0],
  [["ArrowUp", "k"], "above", "line above", 0, -1],
  [["ArrowDown", "j"], "below", "line below", 0, 1],
  [["Home"], "first", "start", 0, 0],
  [["End"], "last", "end", 0, 0],
];

/** The graph's keys while it is mounted. Shift with an arrow pans the canvas instead of moving the selection. */
export function useGraphKeys({
  move,
  pan,
  toggle,
  go,
  zoom,
  fit,
}: {
  move: (to: GraphMove) => void;
  pan: (dx: number, dy: number) => void;
  toggle: () => void;
  go: () => void;
  zoom: (by: number) => void;
  fit: () => void;
}): void {
  useKeys([
    ...MOVES.map(
      ([keys, to, label, dx, dy]): KeyCommand => ({
        keys,
        label: dx === 0 && dy === 0 ? label : `${label} (with Shift: pan)`,
        group: "Move",
        run: ({ shiftKey }) => (shiftKey && (dx !== 0 || dy !== 0) ? pan(dx, dy) : move(to)),
      }),
    ),
    { keys: ["Enter"], label: "open in the thread", group: "Open and read", run: go },
    { keys: ["e"], label: "expand or fold", group: "Open and read", run: toggle },
    { keys: ["+", "="], label: "nearer", group: "Views and panes", run: () => zoom(1.3) },
    { keys: ["-"], label: "farther", group: "Views and panes", run: () => zoom(1 / 1.3) },
    { keys: ["0"], label: "fit all", group: "Views and panes", run: fit },
  ]);
}

type GraphMove = "parent" | "child" | "above" | "below" | "first" | "last";

/** Where a key moves the selection: along the line, to its parent's, or to the nearest line above or below. */
export function moveInGraph(layout: GraphLayout, item: number, move: GraphMove): number {
  const { lines, lineOf } = layout.model;
  const line = lineOf[item] ?? 0;
  const { from = 0, to = 1, leaves = -1, returns = -1 } = lines[line] ?? {};
  switch (move) {
    case "parent":
      return item > from ? item - 1 : leaves === -1 ? item : leaves;
    case "child":
      return item + 1 < to ? item + 1 : returns === -1 ? item : returns;
    case "first":
      return from;
    case "last":
      return to - 1;
    case "above":
      return nearest(layout, item, -1);
    case "below":
      return nearest(layout, item, 1);
  }
}

/** A line that leaves this item on that side, else the nearest line on that side that overlaps the item. */
function nearest(layout: GraphLayout, item: number, side: 1 | -1): number {
  const { lines, lineOf } = layout.model;
  const line = lineOf[item] ?? 0;
  const row = layout.row[line] ?? 0;
  const middle = (layout.x[item] ?? 0) + (layout.width[item] ?? 0) / 2;
  let best = item;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [index, other] of lines.entries()) {
    const rows = ((layout.row[index] ?? 0) - row) * side;
    if (rows <= 0) continue;
    const isOwn = other.leaves === item;
    const x0 = layout.lineX0[index] ?? 0;
    const x1 = layout.lineX1[index] ?? 0;
    const aside = Math.max(0, x0 - middle, middle - x1);
    const cost = (isOwn ? 0 : 1e6 + aside * 50) + rows;
    if (cost >= bestCost) continue;
    const target = isOwn ? other.from : (lastAtOrBefore(layout, index, middle) ?? other.from);
    bestCost = cost;
    best = target;
  }
  return best;
}

import { lastAtOrBefore } from "./graph-find";
import type { GraphLayout } from "./graph-layout";

export type GraphMove = "parent" | "child" | "above" | "below" | "first" | "last";

/** The item that a key goes to from another: along the line, to its parent's, to siblings above and below. */
export function moveFrom(layout: GraphLayout, item: number, move: GraphMove): number {
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

/** What leaves this item on that side, else the nearest line on that side that has something over or under it. */
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

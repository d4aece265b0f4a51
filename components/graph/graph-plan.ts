import type { GraphModel } from "./graph-model";

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

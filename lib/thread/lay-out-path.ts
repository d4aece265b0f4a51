import { type Branch, pathSteps } from "./branches";
import type { Path } from "./path";
import type { SessionGraph } from "./session-graph";
import type { SessionTable } from "./session-table";
import { memberAfter } from "./steps";
import { at } from "./table";
import { TurnCounter } from "./turn-counter";

const NONE = -1;

/** Lays a branch out. Costs one pass over its records. */
export function layOutPath(table: SessionTable, graph: SessionGraph, branch: Branch): Path {
  const { steps } = graph;
  const ordered: number[] = [];
  for (const step of pathSteps(steps, branch.leaf)) {
    for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record))
      ordered.push(record);
  }
  const records = Int32Array.from(ordered);
  const counter = new TurnCounter(table);
  counter.count(graph, records, 0);
  return { records, turns: counter.turns };
}

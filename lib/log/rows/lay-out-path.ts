import { type Branch, pathSteps } from "@/lib/log/graph/branches";
import type { Path } from "@/lib/log/graph/path";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { memberAfter } from "@/lib/log/graph/steps";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
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

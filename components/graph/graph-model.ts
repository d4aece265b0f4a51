import type { GraphLineState, GraphResponse } from "@/lib/wire/graph";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { GraphItem } from "./graph-item";
import { readItems } from "./graph-items";

export type GraphLine = {
  agent: AgentId | null;
  branch: BranchId;
  parent: number;
  /** Indexes of items; -1 for none. */
  leaves: number;
  returns: number;
  from: number;
  to: number;
  lane: number;
  state: GraphLineState;
  label: string;
  turnsBefore: number;
};

export type GraphModel = {
  revision: number;
  items: GraphItem[];
  lines: GraphLine[];
  /** Item → line. */
  lineOf: Int32Array;
  linesLeftOut: number;
};

/** The graph as the page works with it. */
export function readGraph(answer: GraphResponse): GraphModel {
  const { lines, items, files, startedAtMs, revision, linesLeftOut } = answer;
  const all = readItems(items, files, startedAtMs);
  const read = lines.from.map(
    (from, index): GraphLine => ({
      agent: lines.agent[index] ?? null,
      branch: lines.branch[index] as BranchId,
      parent: lines.parent[index] ?? -1,
      leaves: lines.leaves[index] ?? -1,
      returns: lines.returns[index] ?? -1,
      from,
      to: lines.from[index + 1] ?? all.length,
      lane: lines.lane[index] ?? 0,
      state: lines.state[index] ?? "unknown",
      label: lines.label[index] ?? "",
      turnsBefore: lines.turnsBefore[index] ?? 0,
    }),
  );
  return {
    revision,
    items: numberTurns(all, read),
    lines: read,
    lineOf: linesOf(read, all.length),
    linesLeftOut,
  };
}

/** Item → line. */
export function linesOf(lines: readonly GraphLine[], count: number): Int32Array {
  const of = new Int32Array(count);
  for (const [index, { from, to }] of lines.entries()) of.fill(index, from, to);
  return of;
}

function numberTurns(items: GraphItem[], lines: readonly GraphLine[]): GraphItem[] {
  for (const { from, to, turnsBefore } of lines) {
    let turn = turnsBefore;
    for (let i = from; i < to; i++) {
      const item = items[i];
      if (!item) continue;
      turn += item.turns;
      item.turn = turn;
    }
  }
  return items;
}

import { type GraphItem, type GraphLine, type GraphModel, lineOfItems } from "@/components/graph/graph-model";
import type { AgentId, BranchId, RecordId } from "@/lib/wire/ids";

/** A line of a drawn graph: its items (`1` a prompt, `4` rows of a run), and by index into all items where it begins and ends. */
export type DrawnLine = {
  items: string;
  parent?: number;
  leaves?: number;
  returns?: number;
  agent?: string;
  lane?: number;
};

/** A graph from a drawing. Items are numbered over all lines; item `n` is record `m~<n>`. */
export function graphOf(drawn: readonly DrawnLine[]): GraphModel {
  const items: GraphItem[] = [];
  const lines = drawn.map(
    ({ items: words, parent = -1, leaves = -1, returns = -1, agent, lane = 0 }): GraphLine => {
      const from = items.length;
      let turn = 0;
      for (const word of words.split(" ")) {
        const rows = /^\[(\d+)\]$/.exec(word)?.[1];
        if (rows === undefined) turn += 1;
        items.push(itemOf(items.length, rows === undefined ? "turn" : "run", turn, Number(rows ?? 0)));
      }
      const branch = `m~${items.length - 1}` as BranchId;
      const place = { parent, leaves, returns, from, to: items.length };
      return {
        ...place,
        agent: (agent ?? null) as AgentId | null,
        branch,
        lane,
        state: "done",
        label: "",
        tookMs: null,
        turnsBefore: 0,
      };
    },
  );
  return { items, lines, lineOf: lineOfItems(lines, items.length), linesLeftOut: 0 };
}

/** An item of a graph without anything in it but its `rows`. `index` gives it its record and its place. */
export function itemOf(index: number, kind: GraphItem["kind"], turn: number, rows: number): GraphItem {
  const counts = {
    turns: kind === "turn" ? 1 : 0,
    calls: 0,
    errors: 0,
    denied: 0,
    edits: 0,
    agents: 0,
    holds: 0,
  };
  const id = `m~${index.toString(36)}` as RecordId;
  return {
    key: id,
    id,
    kind,
    turn,
    rows,
    ...counts,
    atMs: null,
    tookS: null,
    mark: null,
    name: "",
  };
}

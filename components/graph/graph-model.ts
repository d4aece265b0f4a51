import type { GraphItems, GraphResponse, GraphRows, GraphSegment } from "@/lib/wire/graph";
import { type AgentId, type BranchId, formatRecordId, formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { AgentState } from "@/lib/wire/rows";

/** A line of the graph: the stem, a branch or an agent, with its items in a row. */
export type GraphLine = {
  agent: AgentId | null;
  branch: BranchId;
  parent: number;
  /** Item indexes; -1 for none. */
  leaves: number;
  returns: number;
  from: number;
  to: number;
  lane: number;
  state: AgentState;
  /** How long an agent worked; `null` for a branch and where that is not known. */
  tookMs: number | null;
  label: string;
  turnsBefore: number;
};

/** A graph as it is drawn. `linesLeftOut`: those that the server left out of a graph with too many. */
export type GraphModel = {
  items: GraphItem[];
  lines: GraphLine[];
  /** Item → line. */
  lineOf: Int32Array;
  linesLeftOut: number;
};

/** Converts the API's answer into the model that the page works with. */
export function readGraph(answer: GraphResponse): GraphModel {
  const { lines, items, files, startedAtMs, linesLeftOut } = answer;
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
      tookMs: (lines.tookMs?.[index] ?? -1) < 0 ? null : (lines.tookMs[index] ?? null),
      label: lines.label[index] ?? "",
      turnsBefore: lines.turnsBefore[index] ?? 0,
    }),
  );
  return {
    items: numberTurns(all, read),
    lines: read,
    lineOf: lineOfItems(read, all.length),
    linesLeftOut,
  };
}

/** Maps each item to its line. */
export function lineOfItems(lines: readonly GraphLine[], count: number): Int32Array {
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

/** Reads the contents of an opened item, with turns numbered from the item's first turn. */
export function readSegment(
  { items, rows, files, startedAtMs }: GraphSegment,
  opened: GraphItem,
): GraphItem[] {
  if (rows) return readRows(rows, files, opened);
  let turn = opened.turn - opened.turns;
  return items
    ? readItems(items, files, startedAtMs).map((item) => {
        turn += item.turns;
        return { ...item, key: `${opened.key}/${item.key}`, turn };
      })
    : [];
}

/** Turns the API's columns into items. The columns hold turn counts; numbers are added by the caller. */
function readItems(columns: GraphItems, files: readonly string[], startedAtMs: number | null): GraphItem[] {
  let offset = 0;
  return columns.kind.map((kind, index) => {
    offset += columns.offset[index] ?? 0;
    const id = formatRecordId(files[columns.file[index] ?? 0] ?? "", offset);
    const number = (name: Exclude<keyof GraphItems, "kind" | "file" | "offset">) => columns[name][index] ?? 0;
    const fromS = number("fromS");
    const tookS = number("tookS");
    return {
      key: `${id}+${number("holds")}`,
      id,
      kind: ITEM_KINDS[kind] ?? "run",
      turn: 0,
      turns: number("turns"),
      rows: number("rows"),
      calls: number("calls"),
      errors: number("errors"),
      denied: number("denied"),
      edits: number("edits"),
      agents: number("agents"),
      holds: number("holds"),
      atMs: startedAtMs === null || fromS < 0 ? null : startedAtMs + fromS * 1000,
      tookS: tookS < 0 ? null : tookS,
      mark: null,
      name: "",
    };
  });
}

function readRows(rows: GraphRows, files: readonly string[], { key, turn }: GraphItem): GraphItem[] {
  let offset = 0;
  return rows.kind.map((kind, index) => {
    offset += rows.offset[index] ?? 0;
    const mark = ROW_MARKS[kind] ?? "other";
    const block = rows.block[index] ?? 0;
    const one = (of: RowMark) => (mark === of ? 1 : 0);
    const id = formatRecordId(files[rows.file[index] ?? 0] ?? "", offset);
    return {
      key: `${key}/${formatRowKey(id, block)}`,
      id,
      kind: "row",
      turn,
      turns: 0,
      rows: 1,
      calls: (rows.name[index] ?? -1) >= 0 ? 1 : 0,
      errors: one("error") + one("timed-out"),
      denied: one("denied"),
      edits: one("edit"),
      agents: 0,
      holds: 0,
      atMs: null,
      tookS: null,
      mark,
      name: rows.names[rows.name[index] ?? -1] ?? "",
    };
  });
}

export const ITEM_KINDS = ["group", "turn", "run", "compaction"] as const;
export const ROW_MARKS = [
  "text",
  "thinking",
  "tool",
  "edit",
  "error",
  "denied",
  "interrupted",
  "timed-out",
  "no-result",
  "other",
  "prompt",
] as const;
export type RowMark = (typeof ROW_MARKS)[number];

/**
 * One thing on a line of the graph. `id` is its first record; `key` also tells it from the group it was opened from.
 */
export type GraphItem = {
  key: string;
  id: RecordId;
  kind: (typeof ITEM_KINDS)[number] | "row";
  /** The last turn that it contains or follows. */
  turn: number;
  turns: number;
  rows: number;
  calls: number;
  errors: number;
  denied: number;
  edits: number;
  agents: number;
  holds: number;
  atMs: number | null;
  tookS: number | null;
  /** Set for a row of an opened run. */
  mark: RowMark | null;
  name: string;
};

import { type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { membersOf } from "@/lib/log/graph/steps";
import { isErrorBlock, isForkRow, levelOf, RowKind, type RowList } from "@/lib/log/rows/flatten";
import { runAt } from "@/lib/log/rows/fold-runs";
import { BlockKind, CallState, isDenied, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { MinimapResponse } from "@/lib/wire/graph";
import type { Chains } from "./list-items";
import type { RailLanes } from "./rail-lanes";

const NONE = -1;

/** Positions of notable rows in a list, in `buckets` parts of equal size: what a minimap draws. */
export type RowMarks = Omit<MinimapResponse, "revision" | "total" | "density"> & {
  /** The share of conversation and tool rows in each bucket, in ninths. */
  density: Uint8Array;
};

/** The marks of a list without rows, in so many buckets: to be filled, or as they are where there is nothing to mark. */
export function noMarks(buckets: number): RowMarks {
  return {
    buckets,
    density: new Uint8Array(buckets),
    prompts: [],
    errors: [],
    denied: [],
    edits: [],
    compactions: [],
    finds: [],
    agents: [],
  };
}

/** Two pixels of a high screen. */
const MAX_BUCKETS = 600;

/** Marks for a minimap. One pass over the list; each kind of mark at most once a bucket. */
export function rowMarks(
  table: SessionTable,
  graph: SessionGraph,
  list: RowList,
  lanes: RailLanes,
  wanted: ReadonlySet<number>,
): RowMarks {
  const buckets = Math.max(1, Math.min(MAX_BUCKETS, list.count));
  const filled = new Float64Array(buckets);
  const fill = (bucket: number, by: number) => {
    filled[bucket] = (filled[bucket] as number) + by;
  };
  const marks = noMarks(buckets);
  const bucketOf = (row: number) => Math.floor((row * buckets) / list.count);
  const note = (into: number[], bucket: number) => {
    if (into.at(-1) !== bucket) into.push(bucket);
  };
  /** Of the parts with errors, those with another than a refused call. */
  const failed = new Set<number>();
  for (let row = 0; row < list.count; row++) {
    const bucket = bucketOf(row);
    const kind = at(list.kind, row);
    const of = at(list.of, row);
    if (kind === RowKind.turn) note(marks.prompts, bucket);
    const run = kind === RowKind.run ? runAt(list, row) : null;
    for (const block of run?.blocks ?? [of]) {
      if (!isForkRow(kind) && wanted.size > 0 && showsWanted(table, wanted, kind, block))
        note(marks.finds, bucket);
      if (run && table.calls.path.at(table.blocks.call.at(block)) !== NONE) note(marks.edits, bucket);
    }
    if (run) fill(bucket, 1);
    if (kind !== RowKind.block) continue;
    const record = table.blocks.record.at(of);
    if (table.records.kind.at(record) === RecordKind.compactBoundary) note(marks.compactions, bucket);
    const isCall = table.blocks.kind.at(of) === BlockKind.call;
    const isText = table.blocks.kind.at(of) === BlockKind.text;
    fill(bucket, isCall ? 1 : isText ? 0.8 : 0.4);
    const call = isCall ? table.blocks.call.at(of) : NONE;
    if (isErrorBlock(table, graph, of)) {
      note(marks.errors, bucket);
      if (call === NONE || !isDenied(table.calls.state.at(call))) failed.add(bucket);
    }
    if (call !== NONE && table.calls.path.at(call) !== NONE) note(marks.edits, bucket);
  }
  marks.denied = marks.errors.filter((bucket) => !failed.has(bucket));
  const rowsOfBucket = list.count / buckets;
  for (let bucket = 0; bucket < buckets; bucket++)
    marks.density[bucket] = Math.min(9, Math.round(((filled[bucket] as number) / rowsOfBucket) * 9));
  for (let index = 0; index < lanes.count; index++) {
    marks.agents.push(bucketOf(at(lanes.from, index)), bucketOf(at(lanes.to, index)), at(lanes.lane, index));
  }
  return marks;
}

/** Whether a row shows one of the wanted records: as its own, or as the result of its call. */
function showsWanted(
  { blocks, calls }: SessionTable,
  wanted: ReadonlySet<number>,
  kind: number,
  of: number,
): boolean {
  if (kind === RowKind.turn) return wanted.has(of);
  if (wanted.has(blocks.record.at(of))) return true;
  const call = blocks.kind.at(of) === BlockKind.call ? blocks.call.at(of) : NONE;
  const result = call === NONE ? NONE : calls.result.at(call);
  return result !== NONE && wanted.has(blocks.record.at(result));
}

/** What a row of an opened run is drawn as. */
export const MarkKind = {
  text: 0,
  thinking: 1,
  tool: 2,
  edit: 3,
  error: 4,
  denied: 5,
  interrupted: 6,
  timedOut: 7,
  noResult: 8,
  other: 9,
  prompt: 10,
} as const;

/** One row of a run: its block, and the number of its tool (-1 if it is not a call). */
export type RowInRun = { record: number; block: number; kind: number; tool: number };

const STATES: ReadonlyMap<number, number> = new Map<number, number>([
  [CallState.none, MarkKind.noResult],
  [CallState.error, MarkKind.error],
  [CallState.denied, MarkKind.denied],
  [CallState.refused, MarkKind.denied],
  [CallState.interrupted, MarkKind.interrupted],
  [CallState.stopped, MarkKind.interrupted],
  [CallState.timedOut, MarkKind.timedOut],
]);

/** The rows of steps `from … to` of the chains at the tools level; at most `most`. */
export function rowsOfRun(
  table: SessionTable,
  graph: SessionGraph,
  chains: Chains,
  { from, to, most }: { from: number; to: number; most: number },
): RowInRun[] {
  const { blocks, records } = table;
  const { steps } = graph;
  const rows: RowInRun[] = [];
  for (let index = from; index < to; index++) {
    const step = at(chains.steps, index);
    for (const record of membersOf(steps, step)) {
      if (graph.duplicates.has(record)) continue;
      if (startsTurn(table, graph, record)) {
        rows.push({ record, block: 0, kind: MarkKind.prompt, tool: NONE });
        continue;
      }
      for (
        let block = records.firstBlock.at(record);
        block < blocks.size && blocks.record.at(block) === record;
        block++
      ) {
        if (levelOf(table, graph, block) > Level.tools) continue;
        if (rows.length >= most) return rows;
        rows.push({
          record,
          block: Math.max(0, blocks.index.at(block)),
          ...markOf(table, graph, record, block),
        });
      }
    }
  }
  return rows;
}

function markOf(
  table: SessionTable,
  graph: SessionGraph,
  record: number,
  block: number,
): { kind: number; tool: number } {
  const { blocks, calls, records } = table;
  const kind = blocks.kind.at(block);
  if (kind === BlockKind.call) {
    const call = blocks.call.at(block);
    const tool = calls.tool.at(call);
    const edited = calls.path.at(call) === NONE ? MarkKind.tool : MarkKind.edit;
    return { kind: STATES.get(calls.state.at(call)) ?? edited, tool };
  }
  if (isErrorBlock(table, graph, block)) return { kind: MarkKind.error, tool: NONE };
  if (kind === BlockKind.thinking) return { kind: MarkKind.thinking, tool: NONE };
  const says = kind === BlockKind.text && records.kind.at(record) === RecordKind.assistant;
  return { kind: says ? MarkKind.text : MarkKind.other, tool: NONE };
}

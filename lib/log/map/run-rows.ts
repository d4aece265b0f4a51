import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { startsTurn } from "@/lib/log/graph/starts-turn";
import { membersOf } from "@/lib/log/graph/steps";
import { BlockKind, CallState, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Chains } from "./chains";

const NONE = -1;

/** What a row of an opened run is drawn as. */
const MarkKind = {
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

/** One row of a run: its block, and the name of its tool (-1 for what is no call). */
export type RunRow = { record: number; block: number; kind: number; tool: number };

const STATES: ReadonlyMap<number, number> = new Map<number, number>([
  [CallState.none, MarkKind.noResult],
  [CallState.error, MarkKind.error],
  [CallState.denied, MarkKind.denied],
  [CallState.refused, MarkKind.denied],
  [CallState.interrupted, MarkKind.interrupted],
  [CallState.stopped, MarkKind.interrupted],
  [CallState.timedOut, MarkKind.timedOut],
]);

/** The rows of steps `from … to` of the chains, as a reader of tools sees them; at most `most`. */
export function rowsOfRun(
  table: SessionTable,
  graph: SessionGraph,
  chains: Chains,
  from: number,
  to: number,
  most: number,
): RunRow[] {
  const { blocks, records } = table;
  const { steps } = graph;
  const rows: RunRow[] = [];
  for (let place = from; place < to; place++) {
    const step = at(chains.steps, place);
    for (const record of membersOf(steps, step)) {
      if (graph.copies.has(record)) continue;
      if (startsTurn(table, graph, record)) {
        rows.push({ record, block: 0, kind: MarkKind.prompt, tool: NONE });
        continue;
      }
      for (
        let block = records.get("firstBlock", record);
        block < blocks.size && blocks.get("record", block) === record;
        block++
      ) {
        if (blocks.get("level", block) > Level.tools) continue;
        if (rows.length >= most) return rows;
        rows.push({
          record,
          block: Math.max(0, blocks.get("index", block)),
          ...markOf(table, record, block),
        });
      }
    }
  }
  return rows;
}

function markOf(
  { blocks, calls, records }: SessionTable,
  record: number,
  block: number,
): { kind: number; tool: number } {
  const kind = blocks.get("kind", block);
  if (kind === BlockKind.call) {
    const call = blocks.get("call", block);
    const tool = calls.get("tool", call);
    const edited = calls.get("path", call) === NONE ? MarkKind.tool : MarkKind.edit;
    return { kind: STATES.get(calls.get("state", call)) ?? edited, tool };
  }
  if (kind === BlockKind.thinking) return { kind: MarkKind.thinking, tool: NONE };
  const says = kind === BlockKind.text && records.get("kind", record) === RecordKind.assistant;
  return { kind: says ? MarkKind.text : MarkKind.other, tool: NONE };
}

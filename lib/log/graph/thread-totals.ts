import { BlockKind, messageTokens } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";

const NONE = -1;

/**
 * Calls and tokens of a whole thread, when it began and ended (epoch milliseconds, NaN without times), and the
 * last block with text or a call, -1 for none.
 */
export type ThreadTotals = {
  toolCalls: number;
  tokens: number;
  startMs: number;
  endMs: number;
  lastBlock: number;
};

const totalsOf = new WeakMap<SessionGraph, ThreadTotals[]>();

/** Counts all threads on first use, in one pass over the records. */
export function threadTotals(table: SessionTable, graph: SessionGraph, thread: number): ThreadTotals {
  let totals = totalsOf.get(graph);
  if (!totals) {
    totals = countThreads(table, graph);
    totalsOf.set(graph, totals);
  }
  return totals[thread] ?? empty();
}

function empty(): ThreadTotals {
  return { toolCalls: 0, tokens: 0, startMs: Number.NaN, endMs: Number.NaN, lastBlock: NONE };
}

function countThreads(table: SessionTable, graph: SessionGraph): ThreadTotals[] {
  const { records, blocks, calls } = table;
  const totals = graph.threads.map(empty);
  const counted = new Uint8Array(table.messages.size);
  for (let record = 0; record < graph.parents.length; record++) {
    const total = totals[at(graph.threadOf, record)] as ThreadTotals;
    const ms = records.get("atMs", record);
    if (!Number.isNaN(ms)) {
      if (!(total.startMs <= ms)) total.startMs = ms;
      if (!(total.endMs >= ms)) total.endMs = ms;
    }
    const message = records.get("message", record);
    if (message === NONE || counted[message]) continue;
    counted[message] = 1;
    total.tokens += messageTokens(table, message);
  }
  for (let block = 0; block < blocks.size; block++) {
    // Records added after the graph was made are not part of it.
    const total = totals[at(graph.threadOf, blocks.get("record", block))];
    if (!total) continue;
    const kind = blocks.get("kind", block);
    const isCall = kind === BlockKind.call && calls.get("use", blocks.get("call", block)) === block;
    if (isCall) total.toolCalls += 1;
    if (isCall || (kind === BlockKind.text && records.get("message", blocks.get("record", block)) !== NONE))
      total.lastBlock = block;
  }
  return totals;
}

import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { startsTurn } from "@/lib/log/graph/starts-turn";
import { memberAfter } from "@/lib/log/graph/steps";
import { isFailure } from "@/lib/log/table/is-failure";
import { BlockKind, CallState, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type Item, ItemKind } from "./map-items";

const NONE = -1;

/** What a step counts for on a line of the map, without its place there. @param starting of `startingCalls` */
export function itemOfStep(
  table: SessionTable,
  graph: SessionGraph,
  starting: Uint8Array,
  step: number,
): Item {
  const { records } = table;
  const { steps } = graph;
  const item = emptyItem();
  // By hand: a generator for each of 100,000 steps costs more than all that is counted.
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) {
    if (item.record === NONE) item.record = record;
    if (graph.copies.has(record)) continue;
    const ms = records.get("atMs", record);
    if (!(item.startMs <= ms) && !Number.isNaN(ms)) item.startMs = ms;
    if (!(item.endMs >= ms) && !Number.isNaN(ms)) item.endMs = ms;
    if (startsTurn(table, graph, record)) {
      item.kind = ItemKind.turn;
      item.record = record;
      item.turns += 1;
      continue;
    }
    if (records.get("kind", record) === RecordKind.compactBoundary && item.kind === ItemKind.run) {
      item.kind = ItemKind.compaction;
      item.record = record;
    }
    countBlocks(table, starting, record, item);
  }
  return item;
}

/** All fields in one literal: an item a step is made, and spread parts cost several times as much. */
function emptyItem(): Item {
  return {
    kind: ItemKind.run,
    chain: 0,
    record: NONE,
    from: 0,
    to: 0,
    turns: 0,
    rows: 0,
    calls: 0,
    errors: 0,
    denied: 0,
    edits: 0,
    agents: 0,
    holds: 0,
    pinned: 0,
    startMs: Number.NaN,
    endMs: Number.NaN,
  };
}

function countBlocks(
  { blocks, calls, records }: SessionTable,
  starting: Uint8Array,
  record: number,
  item: Item,
): void {
  const { record: recordOf, level } = blocks.columns;
  for (
    let block = records.get("firstBlock", record);
    block < blocks.size && at(recordOf, block) === record;
    block++
  ) {
    if (at(level, block) > Level.tools) continue;
    if (item.rows === 0 && item.kind === ItemKind.run) item.record = record;
    item.rows += 1;
    if (blocks.get("kind", block) !== BlockKind.call) continue;
    const call = blocks.get("call", block);
    if (calls.get("use", call) !== block) continue;
    item.calls += 1;
    const state = calls.get("state", call);
    if (state === CallState.denied || state === CallState.refused) item.denied += 1;
    else if (isFailure(state)) item.errors += 1;
    if (calls.get("path", call) !== NONE) item.edits += 1;
    item.agents += at(starting, call);
  }
}

/** Call → 1 where it started an agent. */
export function startingCalls(table: SessionTable, graph: SessionGraph): Uint8Array {
  const found = new Uint8Array(table.calls.size);
  for (const thread of graph.threads) if (thread.call !== NONE && !thread.internal) found[thread.call] = 1;
  return found;
}

import { BlockKind, CallState, Level, RecordKind } from "../kinds";
import { isFailure, startsTurn } from "../path";
import type { SessionGraph } from "../session-graph";
import type { SessionTable } from "../session-table";
import { memberAfter } from "../steps";
import { at, Table } from "../table";
import type { Chains } from "./chains";
import { type Pins, pinsOf, stepsAsBefore } from "./kept-items";

const NONE = -1;

/** What stands on a line of the map. `group`: turns and what follows them, folded into one. */
export const ItemKind = { group: 0, turn: 1, run: 2, compaction: 3 } as const;

export const ITEMS = {
  kind: Uint8Array,
  chain: Uint16Array,
  /** Its first record that a reader sees, else its first. */
  record: Int32Array,
  /** Its steps: `chains.steps[from … to)`. */
  from: Int32Array,
  to: Int32Array,
  turns: Uint32Array,
  /** Blocks that a reader of tools sees as rows. */
  rows: Uint32Array,
  calls: Uint32Array,
  errors: Uint32Array,
  denied: Uint32Array,
  edits: Uint32Array,
  agents: Uint32Array,
  /** Finer items folded into it, 0 for what opens into its rows. */
  holds: Uint32Array,
  /** 1 where a branch or an agent leaves or comes back. */
  pinned: Uint8Array,
  /** Epoch milliseconds, NaN without times. */
  startMs: Float64Array,
  endMs: Float64Array,
};
export type Items = Table<typeof ITEMS>;
type Item = { [Name in keyof typeof ITEMS]: number };

/** The items of a graph, and what they were made from. */
export type ItemList = { graph: SessionGraph; chains: Chains; pins: Pins; items: Items };

/** A list of the same session when it was shorter, and the calls that are told more of since. */
export type ItemsBefore = { list: ItemList; calls: ReadonlySet<number> };

/**
 * All items of all chains, in order of chains: a turn's prompt, a compaction, and the runs of steps
 * between them. A run also ends where a branch or an agent leaves or comes back, so that lines meet
 * items and never cross them. One pass over the records, or over those that are not as they were `before`.
 */
export function listItems(
  table: SessionTable,
  graph: SessionGraph,
  chains: Chains,
  before: ItemsBefore | null = null,
): ItemList {
  const items: Items = new Table(ITEMS);
  const pins = pinsOf(graph, chains);
  const { leaves, forks } = pins;
  const same = before && stepsAsBefore(table, { graph, chains, pins }, before);
  let known = 0;
  const agentCall = agentCalls(table, graph);
  for (let chain = 0; chain < chains.count; chain++) {
    let run: Item | null = null;
    const flush = () => {
      if (run && (run.kind !== ItemKind.run || run.rows > 0 || run.pinned)) items.push(run);
      run = null;
    };
    const first = items.size;
    let begin = at(chains.start, chain);
    if (before && same) {
      const old = before.list;
      while (known < old.items.size && old.items.get("chain", known) < chain) known++;
      const from = known;
      const shift = begin - at(old.chains.start, chain);
      // An item ends by what follows: that must be as it was, too.
      const end = begin - shift + at(same, chain);
      while (isOf(old.items, known, chain) && old.items.get("to", known) < end) known++;
      items.append(old.items, from, known);
      for (let item = first; item < items.size; item++) {
        items.set("from", item, items.get("from", item) + shift);
        items.set("to", item, items.get("to", item) + shift);
      }
      if (items.size > first) begin = items.get("to", items.size - 1);
    }
    for (let i = begin; i < at(chains.start, chain + 1); i++) {
      const step = at(chains.steps, i);
      const item = readStep(table, graph, agentCall, step);
      item.chain = chain;
      item.from = i;
      item.to = i + 1;
      item.pinned = at(leaves, step) | at(forks, step);
      const alone = item.kind !== ItemKind.run || at(leaves, step) === 1;
      if (alone) flush();
      run = run ? join(run, item) : item;
      if (alone || at(forks, step)) flush();
    }
    const rest: Item | null = run;
    // A line that shows nothing to a reader of tools still has its place.
    if (rest && items.size === first) rest.pinned = 1;
    flush();
  }
  return { graph, chains, pins, items };
}

function isOf(items: Items, item: number, chain: number): boolean {
  return item < items.size && items.get("chain", item) === chain;
}

/** Adds what follows to a run. */
function join(into: Item, next: Item): Item {
  if (into.rows === 0 && into.turns === 0 && next.rows > 0) into.record = next.record;
  into.turns += next.turns;
  into.rows += next.rows;
  into.calls += next.calls;
  into.errors += next.errors;
  into.denied += next.denied;
  into.edits += next.edits;
  into.agents += next.agents;
  into.to = next.to;
  into.pinned |= next.pinned;
  if (Number.isNaN(into.startMs)) into.startMs = next.startMs;
  if (!(next.endMs <= into.endMs) && !Number.isNaN(next.endMs)) into.endMs = next.endMs;
  return into;
}

function readStep(table: SessionTable, graph: SessionGraph, agentCall: Uint8Array, step: number): Item {
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
    countBlocks(table, agentCall, record, item);
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
  agentCall: Uint8Array,
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
    if (state === CallState.denied) item.denied += 1;
    else if (isFailure(state)) item.errors += 1;
    if (calls.get("path", call) !== NONE) item.edits += 1;
    item.agents += at(agentCall, call);
  }
}

/** Call → 1 where it started an agent. */
export function agentCalls(table: SessionTable, graph: SessionGraph): Uint8Array {
  const found = new Uint8Array(table.calls.size);
  for (const thread of graph.threads) if (thread.call !== NONE && !thread.internal) found[thread.call] = 1;
  return found;
}

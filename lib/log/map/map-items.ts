import { type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { memberAfter } from "@/lib/log/graph/steps";
import { isErrorBlock, levelOf } from "@/lib/log/rows/flatten";
import { BlockKind, isDenied, isFailure, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, Table } from "@/lib/log/table/table";

/** The kinds of items on a line of the map. `group`: turns and what follows them, folded into one. */
export const ItemKind = { group: 0, turn: 1, run: 2, compaction: 3 } as const;

/** The columns of a table of items. */
export const ITEMS = {
  kind: Uint8Array,
  chain: Uint16Array,
  /** Its first visible record, else its first record. */
  record: Int32Array,
  /** Its steps: `chains.steps[from … to)`. */
  from: Int32Array,
  to: Int32Array,
  turns: Uint32Array,
  /** Number of blocks shown at the tools level. */
  rows: Uint32Array,
  calls: Uint32Array,
  errors: Uint32Array,
  denied: Uint32Array,
  edits: Uint32Array,
  agents: Uint32Array,
  /** Number of items folded into it, 0 for an item that opens into its rows. */
  holds: Uint32Array,
  /** 1 where a branch or an agent leaves or returns. */
  pinned: Uint8Array,
  /** Epoch milliseconds, NaN without times. */
  startMs: Float64Array,
  endMs: Float64Array,
};

/** All items of a map, a line's one after the other. */
export type Items = Table<typeof ITEMS>;

/** One item, while it is being built. */
export type Item = { [Name in keyof typeof ITEMS]: number };

const NONE = -1;

/** The counts of a step as an item of the map, without its position there. @param starting of `startingCalls` */
export function itemOfStep(
  table: SessionTable,
  graph: SessionGraph,
  starting: Uint8Array,
  step: number,
): Item {
  const { records } = table;
  const { steps } = graph;
  const item = emptyItem();
  // A plain loop: a generator for each of 100,000 steps would cost more than the counting.
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) {
    if (item.record === NONE) item.record = record;
    if (graph.duplicates.has(record)) continue;
    const ms = records.atMs.at(record);
    if (!(item.startMs <= ms) && !Number.isNaN(ms)) item.startMs = ms;
    if (!(item.endMs >= ms) && !Number.isNaN(ms)) item.endMs = ms;
    if (startsTurn(table, graph, record)) {
      item.kind = ItemKind.turn;
      item.record = record;
      item.turns += 1;
      continue;
    }
    if (records.kind.at(record) === RecordKind.compactBoundary && item.kind === ItemKind.run) {
      item.kind = ItemKind.compaction;
      item.record = record;
    }
    countBlocks(table, graph, starting, record, item);
  }
  return item;
}

/** All fields in one literal: one item is made per step, and spreading costs several times as much. */
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
  table: SessionTable,
  graph: SessionGraph,
  starting: Uint8Array,
  record: number,
  item: Item,
): void {
  const { blocks, calls, records } = table;
  for (
    let block = records.firstBlock.at(record);
    block < blocks.size && blocks.record.at(block) === record;
    block++
  ) {
    if (levelOf(table, graph, block) > Level.tools) continue;
    if (item.rows === 0 && item.kind === ItemKind.run) item.record = record;
    item.rows += 1;
    if (blocks.kind.at(block) !== BlockKind.call) {
      if (isErrorBlock(table, graph, block)) item.errors += 1;
      continue;
    }
    const call = blocks.call.at(block);
    if (calls.use.at(call) !== block) continue;
    item.calls += 1;
    const state = calls.state.at(call);
    if (isDenied(state)) item.denied += 1;
    else if (isFailure(state)) item.errors += 1;
    if (calls.path.at(call) !== NONE) item.edits += 1;
    item.agents += at(starting, call);
  }
}

/** Call → 1 where it started an agent. */
export function startingCalls(table: SessionTable, graph: SessionGraph): Uint8Array {
  const found = new Uint8Array(table.calls.size);
  for (const thread of graph.threads) if (thread.call !== NONE && !thread.internal) found[thread.call] = 1;
  return found;
}

/** Turns at the end of a line that are not folded: where a session is read most. */
const LAST_ITEMS = 24;

/**
 * Folds runs of turns into groups until about `most` items are left. Items next to a branch, an agent or a
 * compaction stay separate while there is room for them; after that they are folded as well.
 */
export function groupItems(items: Items, most: number): Items {
  if (items.size <= most) return items;
  const keeps = pinnedItems(items);
  let kept = 0;
  for (let i = 0; i < items.size; i++) kept += at(keeps, i);
  // Every item that is kept may separate two groups.
  const room = most - kept * 2;
  if (room >= most / 8) return fold(items, keeps, Math.ceil((items.size - kept) / room));
  return fold(items, new Uint8Array(items.size), Math.ceil(items.size / most));
}

function pinnedItems(items: Items): Uint8Array {
  const keeps = new Uint8Array(items.size);
  let left = 0;
  for (let i = items.size - 1; i >= 0; i--) {
    const isLast = i === items.size - 1 || items.chain.at(i + 1) !== items.chain.at(i);
    if (isLast) left = items.chain.at(i) === 0 ? LAST_ITEMS : 1;
    const event = items.pinned.at(i) === 1 || items.kind.at(i) === ItemKind.compaction;
    if (event || left-- > 0) keeps[i] = 1;
  }
  return keeps;
}

/** Groups of at most `size` items, each beginning with a prompt where there is one within reach. */
function fold(items: Items, keeps: Uint8Array, size: number): Items {
  const folded: Items = new Table(ITEMS);
  /** First of the pending items that are copied unchanged. */
  let alone = 0;
  for (let i = 0; i < items.size; ) {
    const chain = items.chain.at(i);
    let to = i + 1;
    // A group ends before a prompt, so that no turn is split.
    const goesOn = () => to - i < size || items.kind.at(to) !== ItemKind.turn;
    const joins = () => to < items.size && !at(keeps, to) && items.chain.at(to) === chain;
    if (!at(keeps, i)) while (joins() && goesOn()) to++;
    if (to - i > 1) {
      // A group is identified by the record of its first item.
      folded.append(items, alone, i + 1);
      alone = to;
      addUp(items, i + 1, to, folded);
      folded.kind.put(folded.size - 1, ItemKind.group);
      folded.holds.put(folded.size - 1, to - i);
    }
    i = to;
  }
  folded.append(items, alone, items.size);
  return folded;
}

const SUMS = ["turns", "rows", "calls", "errors", "denied", "edits", "agents"] as const;

/** Merges items into the last one of a list, which then extends to their end. */
function addUp(items: Items, from: number, to: number, into: Items): void {
  const last = into.size - 1;
  for (const name of SUMS) {
    const column = items[name];
    let sum = into[name].at(last);
    for (let item = from; item < to; item++) sum += column.at(item);
    into[name].put(last, sum);
  }
  for (let item = from; item < to; item++) {
    if (items.pinned.at(item)) into.pinned.put(last, 1);
    if (Number.isNaN(into.startMs.at(last))) into.startMs.put(last, items.startMs.at(item));
    const ms = items.endMs.at(item);
    if (!(ms <= into.endMs.at(last)) && !Number.isNaN(ms)) into.endMs.put(last, ms);
  }
  into.to.put(last, items.to.at(to - 1));
}

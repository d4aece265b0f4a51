import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, Table } from "@/lib/log/table/table";
import type { Chains } from "./chains";
import { itemOfStep, startingCalls } from "./item-of-step";
import { type Pins, pinsOf, stepsAsBefore } from "./kept-items";
import { ITEMS, type Item, ItemKind, type Items } from "./map-items";

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
  const starting = startingCalls(table, graph);
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
      const item = itemOfStep(table, graph, starting, step);
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

import { addTo } from "@/lib/format/lists";
import { agentStateOf, type EndState, isLaunch } from "@/lib/log/graph/agent-state";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type Chains, findChains, type ItemList, type ItemsBefore, listItems } from "./list-items";
import { groupItems, type Items } from "./map-items";

const NONE = -1;

/** A line of the map: a branch or an agent, and the items of other lines where it begins and ends. */
export type MapLine = {
  /** The chain that it shows. */
  chain: number;
  /** The line that it leaves, -1 for the main one. */
  parent: number;
  /** The agent's thread, 0 for a branch of the main thread. */
  thread: number;
  isAgent: boolean;
  /** Items of this line: `from … to`. */
  from: number;
  to: number;
  /** The item that it leaves: at that item for an agent, after it for a branch. -1 for none. */
  leaves: number;
  /** The item to which an agent's answer returns, -1 for none. */
  returns: number;
  /** Colour and shape: an agent's own; for a branch its index among its siblings; 0 for the main line. */
  lane: number;
  state: EndState;
};

/** The graph of a session as the page draws it: lines, and on each the items that stand for its rows. */
export type SessionMap = {
  chains: Chains;
  /** All items, and those left after folding. */
  fine: ItemList;
  items: Items;
  lines: MapLine[];
  /** Step → its index in `chains.steps`, -1 for a step on no branch. */
  positionOf: Int32Array;
};

/**
 * The whole session as lines of items, folded to about `mostItems`. Everything visible is in exactly
 * one item; whatever leaves or returns does so at an item of the line above.
 * @param before the items of an earlier state: what has not changed since is not read again
 */
export function buildSessionMap(
  table: SessionTable,
  graph: SessionGraph,
  mostItems: number,
  before: ItemsBefore | null = null,
): SessionMap {
  const chains = findChains(table, graph);
  const fine = listItems(table, graph, chains, before);
  const items = groupItems(fine.items, mostItems);
  const itemOf = new Int32Array(chains.steps.length).fill(NONE);
  const positionOf = new Int32Array(graph.steps.count).fill(NONE);
  for (let chain = 0; chain < chains.count; chain++) {
    for (let i = at(chains.start, chain); i < at(chains.start, chain + 1); i++)
      positionOf[at(chains.steps, i)] = i;
  }
  for (let item = 0; item < items.size; item++) itemOf.fill(item, items.from.at(item), items.to.at(item));
  // Steps with nothing to show have no item: what leaves there leaves the item before it.
  for (let chain = 0; chain < chains.count; chain++) {
    let last = NONE;
    for (let i = at(chains.start, chain); i < at(chains.start, chain + 1); i++) {
      if (at(itemOf, i) === NONE) itemOf[i] = last;
      else last = at(itemOf, i);
    }
  }
  const itemOfStep = (step: number) =>
    step === NONE || at(positionOf, step) === NONE ? NONE : at(itemOf, at(positionOf, step));
  const notices = noticesOf(graph);
  const lines: MapLine[] = [];
  const lanes = branchLanes(graph, chains, positionOf);
  let next = 0;
  for (let chain = 0; chain < chains.count; chain++) {
    const from = next;
    while (next < items.size && items.chain.at(next) === chain) next++;
    const index = at(chains.thread, chain);
    const thread = graph.threads[index];
    if (!thread) continue;
    const parent = at(chains.parent, chain);
    const isAgent = index !== 0 && (parent === NONE || at(chains.thread, parent) !== index);
    const leaves = itemOfStep(at(chains.fork, chain));
    lines.push({
      chain,
      parent,
      thread: index,
      isAgent,
      from,
      to: next,
      leaves,
      returns: isAgent ? returnItem(table, graph, index, notices.get(index), itemOfStep) : NONE,
      lane: isAgent ? thread.lane : at(lanes, chain),
      state: isAgent ? agentStateOf(table, thread) : "unknown",
    });
  }
  return { chains, fine, items, lines, positionOf };
}

/**
 * Colours of branches: at each fork the branches, including the one that continues, are numbered by when they were
 * written. The fork's row in the thread uses the same numbers.
 */
function branchLanes({ steps }: SessionGraph, chains: Chains, positionOf: Int32Array): Uint16Array {
  const lanes = new Uint16Array(chains.count);
  const forks = new Map<string, number[]>();
  for (let chain = 1; chain < chains.count; chain++) {
    const parent = at(chains.parent, chain);
    if (parent === NONE || at(chains.thread, parent) !== at(chains.thread, chain)) continue;
    const key = `${parent} ${at(chains.fork, chain)}`;
    addTo(forks, key, chain);
  }
  for (const siblings of forks.values()) {
    const [first = 0] = siblings;
    const parent = at(chains.parent, first);
    const fork = at(chains.fork, first);
    const goesOn = fork === NONE ? at(chains.start, parent) : at(positionOf, fork) + 1;
    const begin = (index: number) => at(steps.first, at(chains.steps, index));
    const firsts = siblings.map((chain) => begin(at(chains.start, chain)));
    // Where the client went back to a line, the active branch ends there.
    const all = goesOn < at(chains.start, parent + 1) ? [begin(goesOn), ...firsts] : firsts;
    const ranks = new Map<number, number>();
    for (const [rank, first] of all.toSorted((a, b) => a - b).entries())
      if (!ranks.has(first)) ranks.set(first, rank);
    for (const [index, chain] of siblings.entries()) lanes[chain] = 1 + (ranks.get(firsts[index] ?? 0) ?? 0);
  }
  return lanes;
}

/** Thread → the last record that brought its answer. */
function noticesOf(graph: SessionGraph): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const [record, thread] of graph.notified) last.set(thread, Math.max(record, last.get(thread) ?? NONE));
  return last;
}

function returnItem(
  table: SessionTable,
  graph: SessionGraph,
  index: number,
  notice: number | undefined,
  itemOfStep: (step: number) => number,
): number {
  if (notice !== undefined) return itemOfStep(at(graph.steps.of, notice));
  const call = graph.threads[index]?.resumes.at(-1) ?? graph.threads[index]?.call ?? NONE;
  const result = call === NONE ? NONE : table.calls.result.at(call);
  if (result === NONE) return NONE;
  const record = table.blocks.record.at(result);
  // Before notifications (2.0.76, 2.1.29) a background agent's answer appears when its output is read.
  const answer = isLaunch(table, call) ? (graph.threads[index]?.end?.record ?? NONE) : record;
  return answer === NONE ? NONE : itemOfStep(at(graph.steps.of, answer));
}

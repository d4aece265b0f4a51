import { grown } from "@/lib/log/table/grown";
import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { GrowingAttempts } from "./growing-attempts";
import { GrowingBranches } from "./growing-branches";
import { GrowingSteps } from "./growing-steps";
import { GrowingThreads } from "./growing-threads";
import { GrowingParents } from "./incremental-parents";
import { followQueue } from "./queued-turns";
import { returnsByNotice } from "./returns-by-notice";
import type { SessionGraph } from "./session-graph";

const NONE = -1;

/** What records that were added have changed beside being there. */
export type Growth = {
  graph: SessionGraph;
  /** Records from which on a way is read or shown otherwise than before. */
  from: readonly number[];
  /** Records behind which others were put into their step. */
  after: readonly number[];
  /** Threads that fork otherwise than before. */
  forked: ReadonlySet<number>;
  /** Agents have come, have other numbers, or belong to other calls. */
  agents: boolean;
};

/**
 * A graph that is followed while its table grows: records that are added cost what they are, not what is there.
 * Whatever hangs from whatever, it is what `buildGraph` makes of the whole table, or it says that it cannot tell.
 * Each state shares its arrays with the one before, which stays readable as it was.
 */
export class GrowingGraph {
  readonly #table: SessionTable;
  #graph: SessionGraph;
  readonly #parents: GrowingParents;
  readonly #threads: GrowingThreads;
  readonly #steps: GrowingSteps;
  readonly #branches: GrowingBranches;
  readonly #attempts: GrowingAttempts;
  #queueOpen = true;

  constructor(table: SessionTable, logs: readonly SessionLog[], graph: SessionGraph) {
    this.#table = table;
    this.#graph = graph;
    this.#parents = new GrowingParents(table, graph);
    this.#threads = new GrowingThreads(table, logs, graph);
    this.#steps = new GrowingSteps(table, graph);
    this.#branches = new GrowingBranches(table, graph);
    this.#attempts = new GrowingAttempts(table, graph);
  }

  /** Takes in the records that the table has more; null where they change more than what they stand beside. It must not be used then. */
  grow(logs: readonly SessionLog[]): Growth | null {
    const before = this.#graph;
    const first = before.parents.length;
    const { size } = this.#table.records;
    const parents = grown(before.parents, size, NONE);
    for (let record = first; record < size; record++) {
      const parent = this.#parents.add(record);
      if (parent === null) return null;
      parents[record] = parent;
    }
    const threads = this.#threads.add(logs, before, parents, grown(before.threadOf, size, 0));
    if (!threads) return null;
    if (threads.moved) {
      this.#steps.renumber(threads.moved, threads.list.length);
      this.#branches.renumber(threads.moved, threads.list.length);
    }
    this.#steps.reserve(parents);
    this.#branches.reserve(this.#steps.steps.parent.length);
    const from: number[] = [];
    const after: number[] = [];
    const broken = new Set(before.brokenAttempts);
    for (let record = first; record < size; record++) {
      const placed = this.#steps.add(record, at(threads.of, record));
      const { steps } = this.#steps;
      if (!placed || !this.#branches.add(steps, record, placed)) return null;
      if (placed.after !== NONE) after.push(placed.after);
      const [top] = placed.alive;
      if (placed.alive.length > 1 && top !== undefined) from.push(at(steps.first, top));
      for (const above of this.#attempts.add(record, steps, parents)) {
        broken.add(this.#table.records.get("message", above));
        from.push(at(steps.first, at(steps.of, above)));
      }
    }
    const { steps } = this.#steps;
    const { branches, forked } = this.#branches.finish(steps);
    const queuedTurns = this.#followQueue(first);
    from.push(...changedKeys(before.queuedTurns, queuedTurns));
    const notified = threads.moved ? returnsByNotice(this.#table, threads.list) : before.notified;
    from.push(...changedKeys(before.notified, notified));
    this.#graph = {
      parents,
      threads: threads.list,
      threadOf: threads.of,
      steps: { ...steps },
      branches,
      queuedTurns,
      copies: before.copies,
      brokenAttempts: broken.size === before.brokenAttempts.size ? before.brokenAttempts : broken,
      notified,
    };
    return { graph: this.#graph, from, after, forked, agents: threads.moved !== null };
  }

  /** A prompt's own line may come behind the operation that delivered it: until then what was queued is looked up again. */
  #followQueue(from: number): ReadonlyMap<number, number> {
    const { queue, records, types } = this.#table;
    let look = this.#queueOpen && queue.length > 0;
    const operation = types.list.indexOf("queue-operation");
    for (let record = from; record < records.size && !look; record++)
      look = records.get("type", record) === operation;
    if (!look) return this.#graph.queuedTurns;
    const { turns, open } = followQueue(this.#table);
    this.#queueOpen = open;
    return turns;
  }
}

function changedKeys(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number[] {
  if (before === after) return [];
  return [
    ...[...before.keys()].filter((key) => !after.has(key)),
    ...[...after.keys()].filter((key) => !before.has(key)),
  ];
}

import { BlockKind, Flag, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionLog, type SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import { IncrementalBranches, IncrementalRetries } from "./incremental-branches";
import { IncrementalParents } from "./incremental-parents";
import { IncrementalSteps } from "./incremental-steps";
import { followQueue } from "./queued-turns";
import { returnsByNotice, type SessionGraph } from "./session-graph";
import { callNamed, findThreads, isSuggestion, type Threads } from "./threads";

const NONE = -1;

/** What added records have changed, apart from being added. */
export type GraphDelta = {
  graph: SessionGraph;
  /** Records from which on a branch is read or shown differently. */
  from: readonly number[];
  /** Records after which others were inserted into their step. */
  after: readonly number[];
  /** Threads whose forks have changed. */
  forked: ReadonlySet<number>;
  /** Agents were added, renumbered, or joined to other calls. */
  agents: boolean;
};

/**
 * A graph that is kept up to date while its table grows, at a cost that depends on the added records only.
 * Its state always equals what `buildGraph` makes of the whole table; where it can't guarantee that, it refuses.
 * Each state shares its arrays with the previous one, which stays valid and unchanged.
 */
export class IncrementalGraph {
  readonly #table: SessionTable;
  #graph: SessionGraph;
  readonly #parents: IncrementalParents;
  readonly #threads: IncrementalThreads;
  readonly #steps: IncrementalSteps;
  readonly #branches: IncrementalBranches;
  readonly #retries: IncrementalRetries;
  #queueOpen = true;

  constructor(table: SessionTable, logs: readonly SessionLog[], graph: SessionGraph) {
    this.#table = table;
    this.#graph = graph;
    this.#parents = new IncrementalParents(table, graph);
    this.#threads = new IncrementalThreads(table, logs, graph);
    this.#steps = new IncrementalSteps(table, graph);
    this.#branches = new IncrementalBranches(table, graph);
    this.#retries = new IncrementalRetries(table, graph);
  }

  /** Takes in the new records of the table; null where they change too much. Then this object must not be used any more. */
  grow(logs: readonly SessionLog[]): GraphDelta | null {
    const before = this.#graph;
    const first = before.parents.length;
    const { size } = this.#table.records;
    const parents = withCapacity(before.parents, size, NONE);
    for (let record = first; record < size; record++) {
      const parent = this.#parents.add(record);
      if (parent === null) return null;
      parents[record] = parent;
    }
    const threads = this.#threads.add(logs, before, parents, withCapacity(before.threadOf, size, 0));
    if (!threads) return null;
    if (threads.moved) {
      this.#steps.renumber(threads.moved, threads.list.length);
      this.#branches.renumber(threads.moved, threads.list.length);
    }
    this.#steps.reserve(parents);
    this.#branches.reserve(this.#steps.steps.parent.length);
    const from: number[] = [];
    const after: number[] = [];
    const retried = new Set(before.retriedMessages);
    for (let record = first; record < size; record++) {
      const delta = this.#steps.add(record, at(threads.of, record));
      const { steps } = this.#steps;
      if (!delta || !this.#branches.add(steps, record, delta)) return null;
      if (delta.after !== NONE) after.push(delta.after);
      const [top] = delta.promoted;
      if (delta.promoted.length > 1 && top !== undefined) from.push(at(steps.first, top));
      for (const above of this.#retries.add(record, steps, parents)) {
        retried.add(this.#table.records.message.at(above));
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
      duplicates: before.duplicates,
      takenBack: before.takenBack,
      retriedMessages: retried.size === before.retriedMessages.size ? before.retriedMessages : retried,
      notified,
    };
    return { graph: this.#graph, from, after, forked, agents: threads.moved !== null };
  }

  /** A prompt's own line may follow the operation that delivered it: until then the queued texts are looked up again. */
  #followQueue(from: number): ReadonlyMap<number, number> {
    const { queue, records, types } = this.#table;
    let isAffected = this.#queueOpen && queue.length > 0;
    const operation = types.list.indexOf("queue-operation");
    for (let record = from; record < records.size && !isAffected; record++)
      isAffected = records.type.at(record) === operation;
    if (!isAffected) return this.#graph.queuedTurns;
    const { turns, open } = followQueue(this.#table);
    this.#queueOpen = open.length > 0;
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

/** The threads after an addition, and the new number of each earlier one; null where the numbers are unchanged. */
export type ThreadsDelta = { list: Threads["list"]; of: Uint16Array; moved: number[] | null };

/**
 * Maintains the threads while records are added. A line of a known thread joins it; a line that may start an agent,
 * join one to its call, end or rename it causes all threads to be found again, which reads a few columns and no line.
 */
export class IncrementalThreads {
  readonly #table: SessionTable;
  #logs: readonly SessionLog[];
  #ofFile: number[] = [];
  #startMs: number[] = [];
  /** An agent, or a report about one, names a call that is not there yet. */
  #awaitsCall = false;
  #hints: number;
  #notices: number;

  constructor(table: SessionTable, logs: readonly SessionLog[], { threads, threadOf }: SessionGraph) {
    this.#table = table;
    this.#logs = logs;
    this.#hints = table.agentHints.length;
    this.#notices = table.notices.length;
    this.#know({ list: threads, of: threadOf });
  }

  /**
   * Assigns records `from …` to threads. `of` has room for them.
   * @returns null where an earlier record changes its thread
   */
  add(
    logs: readonly SessionLog[],
    { threads, threadOf: before }: SessionGraph,
    parents: Int32Array,
    of: Uint16Array,
  ): ThreadsDelta | null {
    let again = logs !== this.#logs || this.#hints !== this.#table.agentHints.length;
    again ||= this.#notices !== this.#table.notices.length;
    for (let record = before.length; record < of.length && !again; record++) {
      const thread = this.#threadOf(record, parents, of);
      if (thread === null || this.#concernsAgents(record, thread)) again = true;
      else of[record] = thread;
    }
    if (!again) return { list: threads, of, moved: null };
    const found = findThreads(this.#table, parents, logs);
    const moved = newIndexes(threads, found.list);
    if (moved.includes(NONE)) return null;
    for (let record = 0; record < before.length; record++)
      if (at(found.of, record) !== moved[at(before, record)]) return null;
    this.#logs = logs;
    this.#hints = this.#table.agentHints.length;
    this.#notices = this.#table.notices.length;
    this.#know(found);
    return { list: found.list, of: found.of, moved };
  }

  /** The thread that a line continues, null for one that may begin another. */
  #threadOf(record: number, parents: Int32Array, of: Uint16Array): number | null {
    const { records } = this.#table;
    const file = records.file.at(record);
    if (file !== 0)
      return isSuggestion(this.#logs[file]?.agentId ?? null) ? null : (this.#ofFile[file] ?? null);
    if (!(records.flags.at(record) & Flag.sidechain)) return 0;
    const up = at(parents, record);
    return up !== NONE && at(of, up) !== 0 && records.file.at(up) === 0 ? at(of, up) : null;
  }

  /** True for a line that may concern an agent: its prompt, its call, its answer, an earlier beginning. */
  #concernsAgents(record: number, thread: number): boolean {
    const { records, blocks, startedAgents } = this.#table;
    if (thread !== 0) {
      if (records.kind.at(record) === RecordKind.agentPrompt) return true;
      if (records.atMs.at(record) < (this.#startMs[thread] as number)) return true;
    }
    for (const block of blocksOf(this.#table, record)) {
      const call = blocks.call.at(block);
      if (call === NONE) continue;
      const { prompt, agent } = startedAgents.of(call);
      const said = blocks.kind.at(block) === BlockKind.call ? prompt : agent;
      if (this.#awaitsCall || said !== NONE) return true;
    }
    return false;
  }

  #know({ list, of }: Threads): void {
    const { agentHints, notices } = this.#table;
    this.#awaitsCall = [...list, ...agentHints, ...notices].some(
      ({ toolUseId }) => toolUseId !== null && callNamed(this.#table, toolUseId) === NONE,
    );
    const { atMs } = this.#table.records;
    this.#ofFile = [];
    for (const [thread, one] of list.entries()) if (one.file !== 0) this.#ofFile[one.file] = thread;
    this.#startMs = list.map(() => Number.POSITIVE_INFINITY);
    for (let record = 0; record < of.length; record++) {
      const thread = at(of, record);
      if (atMs.at(record) < (this.#startMs[thread] as number)) this.#startMs[thread] = atMs.at(record);
    }
  }
}

/** The index of each thread in the later list, -1 for one that is gone. */
function newIndexes(before: Threads["list"], after: Threads["list"]): number[] {
  const name = ({ file, agentId }: Threads["list"][number]) => `${file} ${agentId}`;
  const indexes = new Map(after.map((thread, index) => [name(thread), index]));
  return before.map((thread) => indexes.get(name(thread)) ?? NONE);
}

import { branchNumbers, branchThrough } from "@/lib/log/graph/branch-points";
import { buildGraph, type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { membersOf, stepAbove } from "@/lib/log/graph/steps";
import { callStateOf } from "@/lib/log/rows/tool-row";
import { CallState, isDenied, isFailure, RecordKind } from "@/lib/log/table/kinds";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { HitPlace } from "@/lib/wire/search";

const NONE = -1;

/** The facts that filters need about the call that a text belongs to. */
export type CallStatus = {
  tool: string;
  /** It failed; a refusal is no error. */
  failed: boolean;
  denied: boolean;
  answered: boolean;
  path: string | null;
};

/** Look-ups in the skeleton of a session by file, offset and block. */
export class CallLookup {
  readonly #table: SessionTable;
  readonly #graph: SessionGraph;
  readonly #logs: readonly SessionLog[];
  /** Step → 1 where a compaction of its thread follows; made when it is first asked for. */
  #compacted: Uint8Array | null = null;

  constructor(table: SessionTable, logs: readonly SessionLog[]) {
    this.#table = table;
    this.#graph = buildGraph(table, logs);
    this.#logs = logs;
  }

  /** The call at a record's block, or the one whose result the block is; null for any other block. */
  call(file: string, offset: number, block: number): CallStatus | null {
    const { calls, tools, paths } = this.#table;
    const call = this.#callAt(this.#find(file, offset), block);
    if (call === NONE) return null;
    const state = calls.state.at(call);
    return {
      tool: tools.at(calls.tool.at(call)) ?? "",
      failed: isFailure(state) && !isDenied(state),
      denied: isDenied(state),
      answered: state !== CallState.none,
      path: paths.at(calls.path.at(call)),
    };
  }

  /** The position of a text; null for a record that the session does not have. */
  place(file: string, offset: number, block: number): HitPlace | null {
    const { calls, tools } = this.#table;
    const record = this.#find(file, offset);
    if (record === NONE) return null;
    const call = this.#callAt(record, block);
    const inMain = this.#inMainThread(record);
    return {
      turn: inMain === null ? null : this.#turnsUpTo(inMain),
      branch: inMain === null ? null : this.#leftBranch(inMain),
      tool: call === NONE ? null : tools.at(calls.tool.at(call)),
      state: call === NONE ? null : callStateOf(this.#table, call),
    };
  }

  /** Whether the session has a record at this place. */
  has(file: string, offset: number): boolean {
    return this.#find(file, offset) !== NONE;
  }

  /** Whether a record is on a branch that was left; an agent's, where its call is. */
  isAbandoned(file: string, offset: number): boolean {
    const record = this.#find(file, offset);
    const inMain = record === NONE ? null : this.#inMainThread(record);
    return inMain !== null && this.#leftBranch(inMain) !== null;
  }

  /** Whether a compaction follows a record in its thread; an agent's, also where it follows the agent's call. */
  isCompacted(file: string, offset: number): boolean {
    const record = this.#find(file, offset);
    if (record === NONE) return false;
    this.#compacted ??= stepsBeforeCompactions(this.#table, this.#graph);
    const { of } = this.#graph.steps;
    const inMain = this.#inMainThread(record);
    return [record, inMain].some((one) => one !== null && this.#compacted?.[at(of, one)] === 1);
  }

  #callAt(record: number, block: number): number {
    const { records, blocks } = this.#table;
    if (record === NONE) return NONE;
    let one = records.firstBlock.at(record);
    for (; one < blocks.size && blocks.record.at(one) === record; one++) {
      if (blocks.index.at(one) === block && blocks.call.at(one) !== NONE) return blocks.call.at(one);
    }
    return NONE;
  }

  /** A record of the main thread, or for an agent's the call there that started it; null where none did. */
  #inMainThread(record: number): number | null {
    const { threads, threadOf } = this.#graph;
    const { blocks, calls } = this.#table;
    let from = record;
    // An agent may be started by an agent, and a damaged log may say that it started itself.
    for (let depth = 0; depth < threads.length; depth++) {
      const thread = threads[at(threadOf, from)];
      if (!thread || thread.agentId === null) return from;
      const use = thread.call === NONE ? NONE : calls.use.at(thread.call);
      if (use === NONE) return null;
      from = blocks.record.at(use);
    }
    return null;
  }

  /** The number of the branch that a record of the main thread is on; null on the active one. */
  #leftBranch(record: number): number | null {
    const [active] = this.#graph.branches[0] ?? [];
    const branch = branchThrough(this.#graph, 0, at(this.#graph.steps.of, record));
    if (branch === null || branch === active) return null;
    return branchNumbers(this.#graph, 0).get(branch.leaf) ?? null;
  }

  /** The number of a record's turn on its own path from the root. */
  #turnsUpTo(record: number): number {
    const { steps } = this.#graph;
    let turns = 0;
    // The graph has no cycle: see `buildSteps`.
    for (let step = at(steps.of, record); step !== NONE; step = at(steps.parent, step)) {
      for (const member of membersOf(steps, step))
        if (startsTurn(this.#table, this.#graph, member)) turns += 1;
    }
    return turns;
  }

  /** The agent that wrote a record; null for the main thread. */
  agent(file: string, offset: number): { agentId: string; type: string | null } | null {
    const record = this.#find(file, offset);
    const thread = record === -1 ? undefined : this.#graph.threads[at(this.#graph.threadOf, record)];
    return thread?.agentId ? { agentId: thread.agentId, type: thread.type } : null;
  }

  /**
   * Records of a file are consecutive and ordered by offset: `scanSession` guarantees it, also for a session that has
   * grown.
   */
  #find(key: string, offset: number): number {
    const { records } = this.#table;
    const file = this.#logs.findIndex((log) => log.key === key);
    let low = 0;
    let high = records.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = records.file.at(middle);
      if (other < file || (other === file && records.offset.at(middle) < offset)) low = middle + 1;
      else high = middle;
    }
    return low < records.size && records.file.at(low) === file && records.offset.at(low) === offset
      ? low
      : -1;
  }
}

/** Step → 1 where a compaction of its thread follows on any branch. Visits each step once for each of its threads. */
function stepsBeforeCompactions({ records }: SessionTable, { steps, threadOf }: SessionGraph): Uint8Array {
  const before = new Uint8Array(steps.count);
  for (let record = 0; record < threadOf.length; record++) {
    if (records.kind.at(record) !== RecordKind.compactBoundary) continue;
    const thread = at(threadOf, record);
    let step = stepAbove(steps, thread, at(steps.of, record));
    while (step !== NONE && at(before, step) === 0) {
      before[step] = 1;
      step = stepAbove(steps, thread, step);
    }
  }
  return before;
}

import type { SessionLog } from "./log-file";
import { findBranches, type Branch } from "./branches";
import { resolveParents } from "./parents";
import { findQueuedTurns } from "./queued-turns";
import type { SessionTable } from "./session-table";
import { buildSteps, type Steps } from "./steps";
import { findThreads, type Thread } from "./threads";

/** Everything that follows from a table's records: who hangs from whom, threads, branches, turns that left no user line. */
export type SessionGraph = {
  parents: Int32Array;
  threads: Thread[];
  /** Record → thread. */
  threadOf: Uint16Array;
  steps: Steps;
  /** For each thread its branches, the active one first. */
  branches: Branch[][];
  /** Record of the operation that delivered a queued prompt → record that queued it. */
  queuedTurns: ReadonlyMap<number, number>;
};

/** Builds the graph of a session's table. Pure and iterative: any records give a graph that holds all of them. */
export function buildGraph(table: SessionTable, logs: readonly SessionLog[]): SessionGraph {
  const parents = resolveParents(table);
  const threads = findThreads(table, parents, logs);
  const steps = buildSteps(table, parents, threads);
  const queuedTurns = findQueuedTurns(table);
  const branches = findBranches(table, steps, threads.list.length);
  return { parents, threads: threads.list, threadOf: threads.of, steps, branches, queuedTurns };
}

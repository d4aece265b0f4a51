import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import { type Branch, findBranches } from "./branches";
import { findBrokenAttempts } from "./broken-attempts";
import { findCopies } from "./copies";
import { resolveParents } from "./parents";
import { findQueuedTurns } from "./queued-turns";
import { returnsByNotice } from "./returns-by-notice";
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
  /** Record that its file holds already → the one written first. */
  copies: ReadonlyMap<number, number>;
  /** Messages that were cut off and said again below. */
  brokenAttempts: ReadonlySet<number>;
  /** Notification that brings an agent's answer → the agent's thread. */
  notified: ReadonlyMap<number, number>;
};

/** Builds the graph of a session's table. Pure and iterative: any records give a graph that holds all of them. */
export function buildGraph(table: SessionTable, logs: readonly SessionLog[]): SessionGraph {
  const copies = findCopies(table);
  const parents = resolveParents(table, copies);
  const threads = findThreads(table, parents, logs);
  const steps = buildSteps(table, parents, threads, copies);
  return {
    parents,
    threads: threads.list,
    threadOf: threads.of,
    steps,
    branches: findBranches(table, steps, threads.list.length),
    queuedTurns: findQueuedTurns(table),
    copies,
    brokenAttempts: findBrokenAttempts(table, parents),
    notified: returnsByNotice(table, threads.list),
  };
}

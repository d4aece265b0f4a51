import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { CallState } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { SessionCounts } from "@/lib/wire/session";
import type { GitFacts } from "./git-facts";
import type { QueuedPrompts } from "./queued-prompts";
import type { QueuedReports } from "./queued-reports";

/**
 * What a query's filters need to know about a session beyond its entry in the library. Names are in alphabetical order.
 */
export type SessionFacets = {
  tools: string[];
  /** Files that its calls changed. */
  paths: string[];
  agentTypes: string[];
  /** Agents are in the main log (1.0.128). */
  sidechains: boolean;
  images: number;
  diffs: number;
  compactions: number;
  /** Branches of the main thread: with more than one, some were left. */
  branches: number;
  /** The earliest and the latest time of any of its lines, agents' included; null where none has a time. */
  firstAtMs: number | null;
  lastAtMs: number | null;
  /** Calls without a result. */
  unanswered: number;
  reports: QueuedReports;
  prompts: QueuedPrompts;
  git: GitFacts;
};

/** The facets of a session that its table and graph tell, when it has been scanned and counted. */
export function facetsOf(
  table: SessionTable,
  graph: SessionGraph,
  counts: SessionCounts,
): Omit<SessionFacets, "reports" | "prompts" | "git"> {
  const { calls, records } = table;
  const { images, compactions, branches, toolCallsByName } = counts;
  const changed = new Set<number>();
  let diffs = 0;
  let unanswered = 0;
  for (let call = 0; call < calls.size; call++) {
    if (table.isCopy(call)) continue;
    if (calls.path.at(call) !== -1) {
      changed.add(calls.path.at(call));
      diffs += 1;
    }
    if (calls.state.at(call) === CallState.none && calls.use.at(call) !== -1) unanswered += 1;
  }
  let firstAtMs = Number.POSITIVE_INFINITY;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  for (let record = 0; record < records.size; record++) {
    const atMs = records.atMs.at(record);
    if (atMs < firstAtMs) firstAtMs = atMs;
    if (atMs > lastAtMs) lastAtMs = atMs;
  }
  const types = graph.threads.flatMap((thread) =>
    thread.agentId !== null && !thread.internal && thread.type !== null ? [thread.type] : [],
  );
  return {
    tools: Object.keys(toolCallsByName).toSorted(),
    paths: [...changed].map((path) => table.paths.at(path) ?? "").toSorted(),
    agentTypes: [...new Set(types)],
    sidechains: graph.threads.some(({ agentId, file }) => agentId !== null && file === 0),
    images,
    diffs,
    compactions,
    branches,
    firstAtMs: Number.isFinite(firstAtMs) ? firstAtMs : null,
    lastAtMs: Number.isFinite(lastAtMs) ? lastAtMs : null,
    unanswered,
  };
}

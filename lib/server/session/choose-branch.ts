import type { Branch } from "@/lib/log/graph/branches";
import { firstThrough } from "@/lib/log/graph/first-through";
import { membersOf } from "@/lib/log/graph/steps";
import { at } from "@/lib/log/table/table";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { BranchId } from "@/lib/wire/ids";
import type { OpenSession } from "./open-session";
import type { RowsQuery } from "./session-queries";

/**
 * The branch that a request means: the one through the record it names as `branch`, else the one
 * that holds the record it looks around, else the active one. `null` for a thread without records. Where the main log is
 * gone the first agent's thread stands for the main one.
 */
export function chooseBranch(
  session: OpenSession,
  query: Pick<RowsQuery, "branch" | "agent">,
  target: number | null,
): Branch | null {
  const { graph } = session;
  let thread = firstThread(session);
  if (query.agent !== null) {
    thread = graph.threads.findIndex((one) => one.agentId === query.agent);
    if (thread <= 0)
      throw new ViewerError("agent-not-found", "There is no such agent in this session", {
        hint: "Open the session without it.",
      });
  }
  const branches = graph.branches[thread] ?? [];
  if (query.branch !== null)
    return through(session, branches, session.find(query.branch)) ?? branches[0] ?? null;
  return (target === null ? null : through(session, branches, target)) ?? branches[0] ?? null;
}

/** The thread that a session opens with: the main one, or of a session whose log is gone its first agent's. */
export function firstThread({ files, graph }: OpenSession): number {
  if (!files.main.gone) return 0;
  const has = (thread: number) => (graph.branches[thread]?.length ?? 0) > 0;
  const agents = graph.threads.flatMap((one, thread) => (thread > 0 && has(thread) ? [{ one, thread }] : []));
  return (agents.find(({ one }) => !one.internal) ?? agents[0])?.thread ?? 0;
}

function through(session: OpenSession, branches: readonly Branch[], record: number): Branch | null {
  const { steps } = session.graph;
  return firstThrough(steps, branches, at(steps.of, record));
}

/** The id of a branch: the record of its leaf. */
export function branchId(session: OpenSession, branch: Branch): BranchId {
  return session.recordId(branch.leafRecord) as string as BranchId;
}

/** The last record of a branch that is a node of the graph: behind it may stand lines of the client's own book-keeping. */
export function lastNode({ graph: { steps }, table }: OpenSession, branch: Branch): number {
  let last = branch.leafRecord;
  for (const record of membersOf(steps, branch.leaf)) {
    if (
      table.records.get("message", record) !== -1 ||
      table.types.at(table.records.get("type", record)) === "user"
    )
      last = record;
  }
  return last;
}

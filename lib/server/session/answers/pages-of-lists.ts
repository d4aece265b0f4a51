import { badCursor } from "@/lib/server/runtime/viewer-error";
import type { RelatedPage } from "@/lib/wire/requests/records";
import type { Page } from "@/lib/wire/requests/values";
import type { AgentsResponse, BranchesResponse, FilesResponse, RelatedResponse } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { pageBySize } from "../page-by-size";
import type { RelatedSessions } from "../related-sessions";
import { markRunningAgents, type RunningCalls } from "../running-calls";
import { agentEntries, describeAgents, fileEntries } from "./agent-entries";
import { branchEntries, firstThread } from "./branch-entries";

/*
 * Pages of a session's lists: what is in them is read for the page that is asked for alone. Each throws ViewerError
 * `bad-cursor`.
 */

/** Branches of the main thread, the active one first. */
export async function pageOfBranches(session: OpenSession, page: Page): Promise<BranchesResponse> {
  const { items, nextCursor } = cut(session.graph.branches[firstThread(session)] ?? [], page);
  return { branches: await branchEntries(session, items), nextCursor };
}

/** Agents, in order of appearance. `running`: what is known of a session that runs, by which those that do are marked. */
export async function pageOfAgents(
  session: OpenSession,
  page: Page,
  running: RunningCalls | null,
): Promise<AgentsResponse> {
  const { items, nextCursor } = cut(agentEntries(session), page);
  return { agents: markRunningAgents(await describeAgents(session, items), running), nextCursor };
}

/** Files that calls changed. What they did to one may be long, so a page also ends by its size. */
export function pageOfFiles(session: OpenSession, page: Page): FilesResponse {
  const { items, nextCursor } = pageBySize(fileEntries(session), page, (entry) => entry);
  return { files: items, nextCursor };
}

/** Sessions that share lines with it, from `others`; all of them where the page has no limit. */
export async function pageOfRelated(
  session: OpenSession,
  { limit, cursor }: RelatedPage,
  others: RelatedSessions,
): Promise<RelatedResponse> {
  const shared = others.sharedTotals(session.files.id);
  const listed = others.list(session.files.id, shared);
  const { items, nextCursor } = cut(listed, { limit: limit ?? listed.length, cursor });
  return { related: await others.describe(session, items, shared), nextCursor };
}

/** The cursor is the index at which the next page starts. */
function cut<T>(list: readonly T[], { limit, cursor }: Page): { items: T[]; nextCursor: string | null } {
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw badCursor();
  const to = Math.min(list.length, from + limit);
  return { items: list.slice(from, to), nextCursor: to < list.length ? String(to) : null };
}

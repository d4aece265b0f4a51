import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSort, SessionSummary, SessionsResponse } from "@/lib/wire/library";

/** A page of the library, without what its filter says wrong, which is not the list's to know. */
export type SessionPage = Omit<SessionsResponse, "problems">;

export type SessionListQuery = {
  project: ProjectId | null;
  /** Which sessions are listed; null for all. */
  keep: ((session: SessionSummary) => boolean) | null;
  sort: SessionSort;
  limit: number;
  cursor: string | null;
};

type SortKey = string | number | null;

/** All but titles run from the most to the least; what is not known comes last. */
const SORT_KEYS: Record<SessionSort, (session: SessionSummary) => SortKey> = {
  active: (session) => session.lastActiveAtMs,
  started: (session) => session.startedAtMs,
  title: (session) => session.title.toLowerCase(),
  bytes: (session) => session.bytes,
  turns: (session) => session.turns,
  tools: (session) => session.toolCalls,
  errors: (session) => session.toolErrors,
  tokens: (session) => session.tokens,
};

/**
 * A page of sessions. The cursor names the last session sent and its key, not a position, so
 * sessions that come and go between two pages make none appear twice or go missing.
 */
export function listSessions(sessions: readonly SessionSummary[], query: SessionListQuery): SessionPage {
  const key = SORT_KEYS[query.sort];
  const found = sessions
    .filter((session) => query.project === null || session.projectId === query.project)
    .filter((session) => query.keep === null || query.keep(session))
    .map((session) => ({ key: key(session), id: session.id, session }))
    .sort(compare);
  const after = query.cursor === null ? null : decodeCursor(query.cursor);
  const start = after === null ? 0 : firstAfter(found, after);
  const page = found.slice(start, start + query.limit);
  const last = page.at(-1);
  const more = start + page.length < found.length && last !== undefined;
  return {
    sessions: page.map((one) => one.session),
    nextCursor: more ? encodeCursor(last) : null,
    total: found.length,
  };
}

type Keyed = { key: SortKey; id: SessionId };

function compare(a: Keyed, b: Keyed): number {
  return compareKeys(a.key, b.key) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  if (typeof a === "number" && typeof b === "number") return b - a;
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstAfter(found: readonly Keyed[], cursor: Keyed): number {
  const at = found.findIndex((one) => compare(cursor, one) < 0);
  return at === -1 ? found.length : at;
}

function encodeCursor({ key, id }: Keyed): string {
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

/** A cursor that this list did not make starts from the top. */
function decodeCursor(cursor: string): Keyed | null {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
    const isKey = key === null || typeof key === "string" || typeof key === "number";
    return isKey && typeof id === "string" ? { key, id: id as SessionId } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

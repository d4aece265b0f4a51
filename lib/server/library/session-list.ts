import type { ProjectId, SessionId } from "@/lib/wire/ids";
import { isHidden, type SessionSummary, type SessionsResponse } from "@/lib/wire/library";
import { failedCalls, LIBRARY_COLUMNS, type SessionSort } from "@/lib/wire/library-columns";
import type { SessionsRequest } from "@/lib/wire/requests/library";
import type { Checked } from "@/lib/wire/requests/values";

/** A page of the library, without the errors in its filter query, which are added elsewhere. */
export type SessionListPage = Omit<SessionsResponse, "problems">;

export type SessionListQuery = Omit<Checked<typeof SessionsRequest>, "q" | "zone" | "ids"> & {
  /** Which sessions are asked for; null for all. */
  keep: ((session: SessionSummary) => boolean) | null;
  /** Whether those that readers hid are listed too. */
  withHidden: boolean;
};

type SortKey = string | number | null;

/** The value that a session is sorted by. Text is compared without regard to case. */
function sortKey(session: SessionSummary, sort: SessionSort): SortKey {
  if (sort === "errors") return failedCalls(session);
  if (sort === "cost") return session.cost && (session.cost.microUsd ?? -1);
  const value = session[LIBRARY_COLUMNS[sort].field];
  return typeof value === "string" ? value.toLowerCase() : value;
}

/**
 * A page of sessions. The cursor names the last session sent and its sort key, not a position in the list, so
 * no session appears twice or is missed when sessions are added or removed between two pages.
 */
export function pageOfSessions(
  sessions: readonly SessionSummary[],
  query: SessionListQuery,
): SessionListPage {
  const asked = sessions
    .filter((session) => query.project === null || session.projectId === query.project)
    .filter((session) => query.keep === null || query.keep(session));
  const listed = query.withHidden ? asked : asked.filter((session) => isListed(session, query.project));
  const found = listed
    .map((session) => ({ key: sortKey(session, query.sort), id: session.id, session }))
    .sort(compare);
  const after = query.cursor === null ? null : decodeCursor(query.cursor);
  const start = after === null ? 0 : firstAfter(found, after);
  const page = found.slice(start, start + query.limit);
  const more = start + page.length < found.length && page.length > 0;
  return {
    sessions: page.map((one) => one.session),
    nextCursor: more ? encodeCursor(found, start + page.length - 1) : null,
    total: found.length,
    hidden: asked.length - listed.length,
  };
}

/** Whoever asks for a project sees it, hidden or not; what was hidden in it stays so. */
function isListed(session: SessionSummary, project: ProjectId | null): boolean {
  return project === null ? !isHidden(session) : session.marks?.hidden !== true;
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

/** Titles can be arbitrarily long: a cursor contains only this much of one. Ids are short (see `SessionIds`). */
const MAX_KEY_UNITS = 24;

/** `rank`: how many sessions with the same shortened key precede it. */
type Cursor = Keyed & { rank: number };

/** The index of the session after the cursor's; if that one is gone, of the one that took its position. */
function firstAfter(found: readonly Keyed[], cursor: Cursor): number {
  const group = (one: Keyed) => compareKeys(shorten(one.key), cursor.key);
  const from = found.findIndex((one) => group(one) >= 0);
  if (from === -1) return found.length;
  let to = from;
  while (to < found.length && group(found[to] as Keyed) === 0) to += 1;
  const alike = found.slice(from, to);
  const at = alike.findIndex(({ id }) => id === cursor.id);
  if (at !== -1) return from + at + 1;
  if (isCut(cursor.key)) return Math.min(from + cursor.rank, to);
  const next = alike.findIndex(({ id }) => id > cursor.id);
  return next === -1 ? to : from + next;
}

function encodeCursor(found: readonly Keyed[], at: number): string {
  const { key, id } = found[at] as Keyed;
  const short = shorten(key);
  let first = at;
  while (first > 0 && compareKeys(shorten((found[first - 1] as Keyed).key), short) === 0) first -= 1;
  return Buffer.from(JSON.stringify([short, id, at - first])).toString("base64url");
}

/** Preserves the order of keys, except among those with the same beginning. */
function shorten(key: SortKey): SortKey {
  return typeof key === "string" ? key.slice(0, MAX_KEY_UNITS) : key;
}

/** True for a key that may be the beginning of several: the rest decides their order. */
function isCut(key: SortKey): boolean {
  return typeof key === "string" && key.length === MAX_KEY_UNITS;
}

/** A cursor that this list did not make starts from the top. */
function decodeCursor(cursor: string): Cursor | null {
  try {
    const [key, id, rank] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
    const isKey = key === null || typeof key === "string" || typeof key === "number";
    const isRank = typeof rank === "number" && Number.isSafeInteger(rank) && rank >= 0;
    return isKey && isRank && typeof id === "string" ? { key, id: id as SessionId, rank } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

import { comparablePath } from "@/lib/format/text";
import { formatPhrase } from "@/lib/query/write-query";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { badCursor } from "@/lib/server/runtime/viewer-error";
import { TOOL_NAMES, toolNamed } from "@/lib/tools/tools";
import type { FileReader, FileSessionsResponse, LineChange, WhyResponse } from "@/lib/wire/files";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Page } from "@/lib/wire/requests/values";
import type { SearchHit, SearchResponse } from "@/lib/wire/search";
import type { Search } from "./search";

type World = { catalog: Catalog; scanner: Scanner; search: Search };

/** If a line occurs in more changes than this, only the first ones found are examined. */
const MAX_HITS = 300;
const PAGE = 200;
/** The number of sessions in which such a line is searched as well, because they changed a file of the same name. */
const MAX_NEAR = 20;

/**
 * Finds the change that brought a line to a file, and what happened to the line: all inputs of calls that change files
 * are searched.
 */
export async function lineOrigin(
  { catalog, scanner, search }: World,
  { text, path }: { text: string; path: string | null },
): Promise<WhyResponse> {
  const phrase = `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  const q = `in:input (tool:Edit OR tool:Write OR tool:MultiEdit OR tool:NotebookEdit) ${phrase}`;
  const { hits, complete } = await hitsOf(search, q, null);
  if (!complete && path !== null)
    for (const session of sessionsNear({ catalog, scanner }, path))
      hits.push(...(await hitsOf(search, q, session)).hits);
  const named = new Map(
    hits.map(({ sessionId: session, recordId, block }) => [
      `${session} ${recordId}.${block}`,
      { session, recordId, block },
    ]),
  );
  const calls = [...named.values()];
  const told = await search.lineChanges(calls, text);
  const titles = new Map(catalog.summaries().map(({ id, title }) => [id, title]));
  const changes: LineChange[] = [];
  const seen = new Set<string>();
  for (const [at, { session }] of calls.entries()) {
    const change = told[at];
    // A fork contains the lines of the session that it was copied from, with the same times.
    const key =
      change && JSON.stringify([comparablePath(change.path), change.atMs, change.tool, change.change]);
    if (!change || !key || seen.has(key)) continue;
    seen.add(key);
    changes.push({ ...change, sessionId: session, title: titles.get(session) ?? null });
  }
  changes.sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  const nearness = (change: LineChange) => (path === null ? 0 : commonEnd(change.path, path));
  const origin = changes
    .filter(({ change }) => change === "wrote")
    .reduce<LineChange | null>((best, one) => (best && nearness(best) >= nearness(one) ? best : one), null);
  const isLater = (one: LineChange) =>
    origin !== null && one !== origin && isSamePath(one, origin) && (one.atMs ?? 0) >= (origin.atMs ?? 0);
  return {
    text,
    path,
    origin,
    later: changes.filter(isLater).reverse(),
    others: changes.filter((one) => one !== origin && !isLater(one)),
    complete,
  };
}

/** The first calls that a query finds, in one session or all. */
async function hitsOf(
  search: Search,
  q: string,
  session: SessionId | null,
): Promise<{ hits: SearchHit[]; complete: boolean }> {
  const hits: SearchHit[] = [];
  let cursor: string | null = null;
  do {
    const found: SearchResponse = await search.page({ q, project: null, session, limit: PAGE, cursor });
    hits.push(...found.hits);
    cursor = found.nextCursor;
  } while (cursor !== null && hits.length < MAX_HITS);
  return { hits, complete: cursor === null };
}

/** The sessions that changed a file of this name: those with the most similar path first, then the newest. */
function sessionsNear({ catalog, scanner }: Omit<World, "search">, path: string): SessionId[] {
  return catalog
    .summaries()
    .map(({ id, lastActiveAtMs }) => {
      const nearness = (scanner.facets(id)?.paths ?? []).map((one) => commonEnd(one, path));
      return { id, nearness: nearness.reduce((a, b) => Math.max(a, b), 0), lastActiveAtMs };
    })
    .filter(({ nearness }) => nearness > 0)
    .sort((a, b) => b.nearness - a.nearness || (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0))
    .slice(0, MAX_NEAR)
    .map(({ id }) => id);
}

/** The number of folders, including the name, that two paths have in common at their end. */
function commonEnd(one: string, other: string): number {
  const [a, b] = [one, other].map((path) => path.split(/[\\/]/).reverse());
  let same = 0;
  while (a && b && same < Math.min(a.length, b.length) && a[same] === b[same]) same += 1;
  return same;
}

/** If a file is read in more calls than this, only the first ones found are examined. */
const MAX_READS = 600;

/** The sessions whose calls read a file at a path, or at one that ends with it, the newest first: all inputs are searched. */
async function sessionsThatRead(
  { catalog, search }: Pick<World, "catalog" | "search">,
  path: string,
): Promise<FileReader[]> {
  const given = path.replaceAll("\\", "/");
  const file = /^[a-z]:/i.test(given) ? `*${given}` : `*/${given.replace(/^\//, "")}`;
  // A filter accepts either slash, a phrase is searched as it is.
  const spelled = [given, given.replaceAll("/", "\\")].map(formatPhrase).join(" OR ");
  const tools = TOOL_NAMES.filter((name) => toolNamed(name)?.files === "reads").map((name) => `tool:${name}`);
  const q = `in:input (${tools.join(" OR ")}) file:${formatPhrase(file)} (${spelled})`;
  const records = new Map<SessionId, RecordId>();
  let cursor: string | null = null;
  let reads = 0;
  do {
    const found: SearchResponse = await search.page({ q, project: null, session: null, limit: PAGE, cursor });
    for (const { sessionId, recordId } of found.hits)
      if (!records.has(sessionId)) records.set(sessionId, recordId);
    reads += found.hits.length;
    cursor = found.nextCursor;
  } while (cursor !== null && reads < MAX_READS);
  return catalog
    .summaries()
    .flatMap(({ id, title, lastActiveAtMs }): FileReader[] => {
      const recordId = records.get(id);
      const { projectPath } = catalog.sessionFiles(id);
      return recordId ? [{ sessionId: id, title, projectPath, lastActiveAtMs, recordId }] : [];
    })
    .sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
}

function isSamePath(one: Pick<LineChange, "path">, other: Pick<LineChange, "path">): boolean {
  return comparablePath(one.path) === comparablePath(other.path);
}

/** A path, or the end of one, as it is compared with others. */
function spelled(path: string): string {
  return comparablePath(path).replaceAll("\\", "/");
}

/**
 * The sessions that changed files at a path, or at one that ends with it, the newest first, and those that only read
 * such a file.
 */
export async function sessionsOfFile(
  { catalog, scanner, search }: World,
  path: string,
  { limit, cursor }: Page,
): Promise<FileSessionsResponse> {
  const wanted = spelled(path);
  let complete = catalog.listed;
  const found = catalog
    .summaries()
    .flatMap(({ id, title, lastActiveAtMs }) => {
      const facets = scanner.facets(id);
      if (facets === null) complete = false;
      const paths = (facets?.paths ?? []).filter((one) => {
        const given = spelled(one);
        return given === wanted || given.endsWith(`/${wanted.replace(/^\//, "")}`);
      });
      if (paths.length === 0) return [];
      const projectPath = catalog.sessionFiles(id).projectPath;
      return [{ sessionId: id, title, projectPath, lastActiveAtMs, paths }];
    })
    .sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw badCursor();
  const to = Math.min(found.length, from + limit);
  const changed = new Set(found.map(({ sessionId }) => sessionId));
  const readers = from > 0 ? [] : await sessionsThatRead({ catalog, search }, path);
  return {
    sessions: found.slice(from, to),
    readers: readers.filter(({ sessionId }) => !changed.has(sessionId)),
    nextCursor: to < found.length ? String(to) : null,
    complete,
  };
}

import { formatCount, formatLocalTime, formatPlural } from "../format.mjs";
import { inLine, print, printError, replaceLine } from "../print.mjs";
import { localUrl } from "../running-server.mjs";
import { ask } from "./ask.mjs";
import { findProject } from "./find-project.mjs";
import { waitForIndex } from "./index-logs.mjs";

/**
 * `backscroll search QUERY`: the texts in which a query of the search page is found, by session, the best first. All logs
 * are read first, as the other commands do, so what is not found is not there.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ query: string, project: string[] | null, limit: number, json: boolean }} options `project` is what it may be called: an id, or a folder
 */
export async function search(server, { query, project, limit, json }) {
  await waitForIndex(server);
  // A server that runs already may have been started by another clock than the caller's.
  const asked = new URLSearchParams({ q: query, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (project !== null) asked.set("project", await findProject(server, project));
  const { hits, complete, nextCursor, problems } = await findHits(server, asked, limit);
  for (const { message } of problems) printError(`backscroll: in the query: ${message}\n`);
  if (json) return print(`${JSON.stringify({ hits, complete, nextCursor, problems }, null, 2)}\n`);
  // A server that was started for this command ends with it.
  const url = "pid" in server ? localUrl(server) : "";
  const places = await placesOf(server, hits);
  print(formatHits(await bySession(server, hits), nextCursor !== null, url, places));
}

/** So many hits the API places at once. */
const MAX_PLACED = 100;

/**
 * Where hits stand in their sessions.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {import("@/lib/wire/search").SearchHit[]} hits
 * @returns {Promise<Places>}
 */
async function placesOf(server, hits) {
  /** @type {Places} */
  const placed = new Map();
  for (let from = 0; from < hits.length; from += MAX_PLACED) {
    const some = hits.slice(from, from + MAX_PLACED);
    const names = some.map(({ sessionId, recordId, block }) => `${sessionId}!${recordId}.${block}`);
    /** @type {import("@/lib/wire/search").HitPlacesResponse} */
    const { places } = await (await ask(server, `search/places?hits=${names.join(",")}`)).json();
    for (const [index, hit] of some.entries()) placed.set(hit, places[index] ?? null);
  }
  return placed;
}

/** @typedef {Map<import("@/lib/wire/search").SearchHit, import("@/lib/wire/search").HitPlace | null>} Places */

/**
 * Asks for pages until there are as many hits as wanted: a page has few or none while logs are read for it.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {URLSearchParams} asked
 * @param {number} limit
 * @returns {Promise<import("@/lib/wire/search").SearchResponse>}
 */
async function findHits(server, asked, limit) {
  /** @type {import("@/lib/wire/search").SearchHit[]} */
  const hits = [];
  for (;;) {
    asked.set("limit", String(Math.min(limit - hits.length, MAX_PAGE)));
    /** @type {import("@/lib/wire/search").SearchResponse} */
    const page = await (await ask(server, `search?${asked}`)).json();
    hits.push(...page.hits);
    if (page.nextCursor === null || hits.length >= limit) {
      replaceLine("");
      return { ...page, hits };
    }
    const { filesDone, filesTotal } = page.progress;
    // What is indexed is told first, before any log is read.
    const read =
      filesDone > 0 ? `, ${formatCount(filesDone)} of ${formatPlural(filesTotal, "log")} read` : "";
    replaceLine(`${formatPlural(hits.length, "result")}${read}`);
    asked.set("cursor", page.nextCursor);
  }
}

/** So many hits the API gives at once. */
const MAX_PAGE = 500;

/**
 * A session with what was found in it, in the order in which it was found.
 *
 * @typedef {{ session: Pick<import("@/lib/wire/library").ListedSession, "id" | "title" | "gitBranch" | "resumeCommand" | "resumeProblem">, hits: import("@/lib/wire/search").SearchHit[] }} Found
 */

/**
 * @param {import("./ask.mjs").Server} server
 * @param {import("@/lib/wire/search").SearchHit[]} hits
 * @returns {Promise<Found[]>} the session of the best hit first
 */
async function bySession(server, hits) {
  /** @type {Map<import("@/lib/wire/ids").SessionId, import("@/lib/wire/search").SearchHit[]>} */
  const groups = new Map();
  for (const hit of hits) {
    const group = groups.get(hit.sessionId);
    if (group) group.push(hit);
    else groups.set(hit.sessionId, [hit]);
  }
  const ids = [...groups.keys()];
  /** @type {Map<string, Found["session"]>} */
  const sessions = new Map();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const asked = ids.slice(from, from + MAX_IDS).join(",");
    /** @type {import("@/lib/wire/library").SessionsResponse} */
    const listed = await (await ask(server, `sessions?limit=${MAX_IDS}&ids=${asked}`)).json();
    for (const session of listed.sessions) sessions.set(session.id, session);
  }
  return [...groups].map(([id, own]) => ({
    // One whose logs have gone since it was found.
    session: sessions.get(id) ?? { id, title: "", gitBranch: null, resumeCommand: null, resumeProblem: null },
    hits: own,
  }));
}

/** So many sessions the API names at once. */
const MAX_IDS = 100;

/**
 * What was found, as text: of each session its title, how it is resumed and why that takes more than usual, and of each hit when it was written, what it
 * is part of by the names that `in:` takes, its turn, and its branch where that is not the active one, the text around it,
 * and its address.
 *
 * @param {Found[]} found
 * @param {boolean} hasMore whether it was looked no further
 * @param {string} url of the server that is still there afterwards, or empty: then no address would lead anywhere
 * @param {Places} places
 */
export function formatHits(found, hasMore, url, places) {
  if (found.length === 0) return "Nothing found.\n";
  const parts = found.map(({ session, hits }) =>
    [
      [session.title || "Untitled session", session.gitBranch].filter(Boolean).join("  "),
      `  ${session.resumeProblem?.command ?? session.resumeCommand ?? session.id}`,
      ...(session.resumeProblem ? [`  ${session.resumeProblem.message}`] : []),
      ...hits.flatMap((hit) => [
        `  ${when(hit)}  ${source(hit)}${position(places.get(hit))}  ${hit.snippet}`,
        ...(url === "" ? [] : [`    ${url}${pathOf(hit)}`]),
      ]),
    ]
      .map(inLine)
      .join("\n"),
  );
  const count = found.reduce((sum, { hits }) => sum + hits.length, 0);
  const told = [
    `${formatPlural(count, "result")} in ${formatPlural(found.length, "session")}`,
    ...(hasMore ? ["a larger --limit shows more"] : []),
    ...(url === "" ? ["while Backscroll runs, each comes with its link"] : []),
  ];
  return `${parts.join("\n\n")}\n\n${told.join("; ")}.\n`;
}

/** @param {import("@/lib/wire/search").SearchHit} hit */
const when = ({ atMs }) => (atMs === null ? "at an unknown time" : formatLocalTime(atMs));

/** @param {import("@/lib/wire/search").SearchHit} hit */
const source = ({ field, tool, agentId }) =>
  [agentId && "agent’s", field, tool && `of ${tool}`].filter(Boolean).join(" ");

/** @param {import("@/lib/wire/search").HitPlace | null | undefined} place */
function position(place) {
  if (!place?.turn) return "";
  return `, turn ${place.turn}${place.branch === null ? "" : ` on branch ${place.branch}, not the active one`}`;
}

/** @param {import("@/lib/wire/search").SearchHit} hit */
function pathOf({ sessionId, recordId, block, agentId }) {
  const at = `at=${recordId}.${block}`;
  return `/sessions/${sessionId}?${agentId === null ? at : `agent=${agentId}&${at}`}`;
}

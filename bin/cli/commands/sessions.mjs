import {
  folderName,
  formatBytes,
  formatCount,
  formatLocalTime,
  formatPlural,
  inColumns,
  oneLine,
} from "../format.mjs";
import { print, printError } from "../print.mjs";
import { ask } from "./ask.mjs";
import { findProject } from "./find-project.mjs";
import { waitForIndex } from "./index-logs.mjs";

/** @typedef {import("@/lib/wire/library").SessionsResponse} SessionsResponse */
/** @typedef {import("@/lib/wire/library").ListedSession} ListedSession */

/**
 * `backscroll sessions [QUERY]`: the sessions that the library lists, in one line each, when all have been read. With `json`
 * each line is the API's own object.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ query: string, sort: string, project: string[] | null, limit: number, json: boolean }} options `query` is as in
 *   the library's field, or empty; `sort` an order of the library; `project` what it may be called: an id, or a folder
 * @throws {UsageError} if there is no such project
 */
export async function printSessions(server, { query, sort, project, limit, json }) {
  await waitForIndex(server);
  // A server that runs already may have been started by another clock than the caller's.
  const asked = new URLSearchParams({ sort, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (query !== "") asked.set("q", query);
  if (project !== null) asked.set("project", await findProject(server, project));
  const { sessions, total, hidden, problems } = await readSessions(server, asked, limit);
  for (const { message } of problems) printError(`backscroll: in the query: ${message}\n`);
  if (json) return print(sessions.map((one) => `${JSON.stringify(one)}\n`).join(""));
  if (sessions.length === 0) print("No sessions found.\n");
  else print(formatSessions(sessions, await projectNames(server), sort));
  // Not among the lines, which others may read.
  if (sessions.length < total)
    printError(
      `${formatCount(sessions.length)} of ${formatPlural(total, "session")}; a larger --limit shows more.\n`,
    );
  if (hidden > 0) printError(`${formatPlural(hidden, "hidden session")} more: is:hidden lists them.\n`);
}

/** So many sessions the API gives at once. */
const MAX_PAGE = 1000;

/**
 * @param {import("./ask.mjs").Server} server
 * @param {URLSearchParams} asked
 * @param {number} limit
 * @returns {Promise<SessionsResponse>} with as many sessions as wanted, or all
 */
async function readSessions(server, asked, limit) {
  /** @type {ListedSession[]} */
  const sessions = [];
  for (;;) {
    asked.set("limit", String(Math.min(limit - sessions.length, MAX_PAGE)));
    /** @type {SessionsResponse} */
    const page = await (await ask(server, `sessions?${asked}`)).json();
    sessions.push(...page.sessions);
    if (page.nextCursor === null || sessions.length >= limit) return { ...page, sessions };
    asked.set("cursor", page.nextCursor);
  }
}

/**
 * @param {import("./ask.mjs").Server} server
 * @returns {Promise<Map<string, string>>} the names of the projects' folders by their ids
 */
async function projectNames(server) {
  /** @type {import("@/lib/wire/library").ProjectsResponse} */
  const { projects } = await (await ask(server, "projects")).json();
  return new Map(projects.map(({ id, path }) => [id, oneLine(folderName(path))]));
}

/**
 * A line a session: when it was last active, the name of its project's folder, the beginning of its id, which other
 * commands take for it, its turns and cost, by what else it was ordered, and its title, with what is special about it.
 *
 * @param {readonly ListedSession[]} sessions
 * @param {ReadonlyMap<string, string>} projects
 * @param {string} sort
 */
function formatSessions(sessions, projects, sort) {
  const figure = FIGURES[sort];
  const lines = sessions.map((session) => [
    formatTime(session.lastActiveAtMs),
    projects.get(session.projectId) ?? "",
    session.id.slice(0, 8),
    session.turns === null ? "" : formatPlural(session.turns, "turn"),
    formatCost(session.cost),
    ...(figure ? [figure(session)] : []),
    [oneLine(session.title) || "Untitled session", ...notesOf(session).map((note) => `(${note})`)].join("  "),
  ]);
  return inColumns(lines, new Set(figure ? [3, 4, 5] : [3, 4]));
}

/**
 * What is told of a session beside what always is, by what the list is ordered by.
 *
 * @type {Record<string, (session: ListedSession) => string>}
 */
const FIGURES = {
  started: ({ startedAtMs }) => `started ${formatTime(startedAtMs)}`,
  bytes: ({ bytes }) => formatBytes(bytes),
  tools: ({ toolCalls }) => (toolCalls === null ? "" : formatPlural(toolCalls, "tool")),
  errors: ({ toolErrors, toolsDenied }) =>
    toolErrors === null ? "" : formatPlural(toolErrors - (toolsDenied ?? 0), "error"),
  tokens: ({ tokens }) => (tokens === null ? "" : formatPlural(tokens, "token")),
};

/** @param {number | null} ms */
const formatTime = (ms) => (ms === null ? "at an unknown time" : formatLocalTime(ms));

/** @param {ListedSession["cost"]} cost */
function formatCost(cost) {
  if (cost === null) return "";
  if (cost.microUsd === null) return "unpriced";
  return `$${(cost.microUsd / 1e6).toFixed(2)}${cost.unpricedTokens > 0 ? " +" : ""}`;
}

/**
 * What the library's marks say of a session.
 *
 * @param {ListedSession} session
 */
function notesOf({ state, storage, logGone, problem }) {
  const notes = [];
  if (state === "waiting") notes.push("waits for you");
  if (state === "running") notes.push("running");
  if (logGone) notes.push("log gone");
  else if (storage === "archive") notes.push("log deleted, kept");
  if (problem) notes.push(oneLine(problem.message));
  return notes;
}

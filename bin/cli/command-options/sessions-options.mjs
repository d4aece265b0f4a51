import { UsageError } from "../usage-error.mjs";
import { namesOfProject, readLimit } from "./flags.mjs";

/** @typedef {{ name: "sessions", query: string, sort: string, project: string[] | null, limit: number, json: boolean }} SessionsCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<SessionsCommand>} */
export const sessionsOptions = {
  takes: /** @type {const} */ (["project", "sort", "limit", "json"]),
  read: readSessions,
};

/** By what sessions are ordered; the API checks it again. */
const SORTS = ["active", "started", "title", "bytes", "turns", "tools", "errors", "tokens", "cost"];

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words those of the query
 * @returns {SessionsCommand}
 */
function readSessions({ project, sort = "active", limit = "50", json = false }, words) {
  if (!SORTS.includes(sort)) throw new UsageError(`give --sort one of ${SORTS.join(", ")}.`);
  const query = words.splice(0).join(" ").trim();
  return {
    name: "sessions",
    query,
    sort,
    project: namesOfProject(project),
    limit: readLimit(limit),
    json,
  };
}

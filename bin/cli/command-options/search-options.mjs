import { UsageError } from "../usage-error.mjs";
import { namesOfProject, readLimit } from "./flags.mjs";

/** @typedef {{ name: "search", query: string, project: string[] | null, limit: number, json: boolean }} SearchCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<SearchCommand>} */
export const searchOptions = { takes: /** @type {const} */ (["project", "limit", "json"]), read: readSearch };

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words those of the query
 * @returns {SearchCommand}
 */
function readSearch({ project, limit = "20", json = false }, words) {
  const query = words.splice(0).join(" ").trim();
  if (query === "")
    throw new UsageError("say what to look for: backscroll search QUERY, in the words of the search page.");
  return { name: "search", query, project: namesOfProject(project), limit: readLimit(limit), json };
}

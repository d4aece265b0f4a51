import { namesOfProject, readLimit } from "./flags.mjs";

/** @typedef {{ name: "prompts", query: string, from: string | null, to: string | null, project: string[] | null, limit: number, json: boolean }} PromptsCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<PromptsCommand>} */
export const promptsOptions = {
  takes: /** @type {const} */ (["project", "from", "to", "limit", "json"]),
  read: readPrompts,
};

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words those of the query
 * @returns {PromptsCommand}
 */
function readPrompts({ project, from, to, limit = "50", json = false }, words) {
  const query = words.splice(0).join(" ").trim();
  return {
    name: "prompts",
    query,
    from: from ?? null,
    to: to ?? null,
    project: namesOfProject(project),
    limit: readLimit(limit),
    json,
  };
}

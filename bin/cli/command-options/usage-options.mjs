import { UsageError } from "../usage-error.mjs";
import { namesOfProject } from "./flags.mjs";

/** @typedef {{ name: "usage", query: string, project: string[] | null, by: string, json: boolean }} UsageCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<UsageCommand>} */
export const usageOptions = {
  takes: /** @type {const} */ (["by", "from", "to", "project", "json"]),
  read: readUsage,
};

/** By what usage is added up; the API checks it again. */
const USAGE_BY = ["day", "week", "month", "project", "model", "branch", "agent", "tool", "session", "prompt"];

/**
 * @param {import("./flags.mjs").Values} values
 * @returns {UsageCommand}
 */
function readUsage({ by = "day", from, to, project, json = false }) {
  if (!USAGE_BY.includes(by)) throw new UsageError(`give --by one of ${USAGE_BY.join(", ")}.`);
  const query = new URLSearchParams({ by });
  for (const [name, value] of Object.entries({ from, to })) if (value !== undefined) query.set(name, value);
  return { name: "usage", query: query.toString(), project: namesOfProject(project), by, json };
}

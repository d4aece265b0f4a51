import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";

/** @typedef {{ name: "why", path: string, line: number, json: boolean }} WhyCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<WhyCommand>} */
export const whyOptions = { takes: /** @type {const} */ (["json"]), read: readWhy };

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {WhyCommand}
 */
function readWhy({ json = false }, words) {
  const [, path, line] = /^(.+):([1-9]\d{0,8})$/.exec(words.shift() ?? "") ?? [];
  if (path === undefined) throw new UsageError("give a line of a file: backscroll why PATH:LINE.");
  return { name: "why", path: resolve(path), line: Number(line), json };
}

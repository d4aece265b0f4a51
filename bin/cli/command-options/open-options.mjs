import { UsageError } from "../usage-error.mjs";
import { readSession } from "./flags.mjs";

/** @typedef {{ name: "open", session: string, at: string | null }} OpenCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<OpenCommand>} */
export const openOptions = { takes: /** @type {const} */ (["at"]), read: readOpen };

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {OpenCommand}
 */
function readOpen({ at }, words) {
  const session = readSession("open", words);
  // As in a page's address, with the block and its lines.
  if (at !== undefined && !/^[a-z0-9]+~[0-9a-z]+(\.\d{1,6}(:[a-z0-9-]{1,24})?)?$/i.test(at))
    throw new UsageError(
      `"${at}" names no record. Give --at one, like m~1k9: a row’s link names its record.`,
    );
  return { name: "open", session, at: at ?? null };
}

import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";
import { readSession } from "./flags.mjs";

/** @typedef {{ name: "restore", session: string, to: string, project: string | null }} RestoreCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<RestoreCommand>} */
export const restoreOptions = { takes: /** @type {const} */ (["to", "project"]), read: readRestore };

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {RestoreCommand}
 */
function readRestore({ to, project }, words) {
  const session = readSession("restore", words);
  if (to !== undefined)
    return {
      name: "restore",
      session,
      to: resolve(to),
      project: project === undefined ? null : resolve(project),
    };
  throw new UsageError(
    "say where to: backscroll restore SESSION --to FOLDER. It is never the client's by itself.",
  );
}

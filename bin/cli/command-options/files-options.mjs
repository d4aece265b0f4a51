import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";
import { readOutput, readSession } from "./flags.mjs";

/** @typedef {{ name: "files", session: string, path: string | null, at: string | null, output: string | undefined, to: string | null, json: boolean }} FilesCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<FilesCommand>} */
export const filesOptions = { takes: /** @type {const} */ (["at", "output", "to", "json"]), read: readFiles };

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {FilesCommand}
 */
function readFiles({ at, output, to, json = false }, words) {
  const session = readSession("files", words);
  const path = words.shift() ?? null;
  if (at !== undefined && !/^[a-z0-9]+~[0-9a-z]+(\.\d{1,6}(:before|:after)?)?$/.test(at))
    throw new UsageError(
      `"${at}" names no record. Give --at one, like m~1k9: a row’s link names its record.`,
    );
  if (to !== undefined && (path !== null || output !== undefined || json))
    throw new UsageError(
      "--to FOLDER takes all files that the session changed. Give a file’s path with --output FILE.",
    );
  if (path === null && to === undefined && (at !== undefined || output !== undefined))
    throw new UsageError("give the file: backscroll files SESSION PATH, or --to FOLDER for all of them.");
  return {
    name: "files",
    session,
    path,
    at: at ?? null,
    output: readOutput(output),
    to: to === undefined ? null : resolve(to),
    json,
  };
}

import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";

/**
 * What `backscroll archive` does. `status` asks the server, all others work on the archive's folder.
 *
 * @typedef {{ name: "archive", action: "status", json: boolean }} ArchiveStatusCommand
 * @typedef {{ name: "archive", action: "verify" } | { name: "archive", action: "export" | "import", folder: string } | { name: "archive", action: "remove", words: string[], olderThanDays: number | null, yes: boolean }} ArchiveCommand
 */

/** @satisfies {import("./flags.mjs").CommandOptions<ArchiveStatusCommand | ArchiveCommand>} */
export const archiveOptions = {
  takes: /** @type {const} */ (["json", "older-than", "yes"]),
  read: readArchiveCommand,
};

const ARCHIVE_ACTIONS = /** @type {const} */ (["verify", "export", "import", "remove"]);

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {ArchiveStatusCommand | ArchiveCommand}
 */
function readArchiveCommand({ json = false, "older-than": olderThan, yes = false }, words) {
  const action = ARCHIVE_ACTIONS.find((one) => one === words[0]) ?? null;
  if (action !== "remove" && (olderThan !== undefined || yes))
    throw new UsageError("--older-than and --yes belong to backscroll archive remove.");
  if (action === null) return { name: "archive", action: "status", json };
  if (json) throw new UsageError("--json belongs to backscroll archive alone.");
  const targets = words.splice(0).slice(1);
  if (action === "verify") {
    if (targets.length === 0) return { name: "archive", action };
    throw new UsageError(
      "archive verify reads the archive that is in use. Give another with --archive-dir DIR.",
    );
  }
  if (action === "remove") return readRemoval(targets, olderThan, yes);
  const [folder] = targets;
  if (folder === undefined || targets.length > 1)
    throw new UsageError(`give one folder: backscroll archive ${action} DIR.`);
  return { name: "archive", action, folder: resolve(folder) };
}

/**
 * @param {string[]} words
 * @param {string | undefined} olderThan
 * @param {boolean} yes
 * @returns {ArchiveCommand}
 */
function readRemoval(words, olderThan, yes) {
  if (words.length === 0 && olderThan === undefined) {
    throw new UsageError(
      "say what to remove: ids of sessions, folders of projects, or --older-than DAYS for all of that age.",
    );
  }
  if (words.includes(""))
    throw new UsageError(
      "an empty word would name every session. Give ids of sessions, or folders of projects.",
    );
  if (olderThan !== undefined && !/^\d{1,5}$/.test(olderThan))
    throw new UsageError(`"${olderThan}" is no number of days. Give --older-than one from 0 to 99999.`);
  const olderThanDays = olderThan === undefined ? null : Number(olderThan);
  // A terminal completes the name of a folder with a slash.
  const named = words.map((word) => (/[\\/]|^\.{1,2}$/.test(word) ? resolve(word) : word));
  return { name: "archive", action: "remove", words: named, olderThanDays, yes };
}

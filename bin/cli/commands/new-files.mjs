import { lstatSync, mkdirSync, openSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../../../lib/server/disk/make-folders.mjs";
import { UsageError } from "../usage-error.mjs";

/** Files that a command writes below a folder: all of them, or none and no folder for them. */
export class NewFiles {
  /** @type {string[]} */
  #files = [];
  /** Each behind those above it. @type {string[]} */
  #folders = [];

  /**
   * Makes a file, which its owner alone can read, and the folders in which it is.
   *
   * @param {string} target an absolute path
   * @param {number} [folderMode] of folders that are not there yet
   * @returns {number} the open file, for writing
   * @throws what the system says where it cannot be made; `EEXIST` where it is there already
   */
  create(target, folderMode = 0o777) {
    const folder = dirname(target);
    makeFolders(folder, folderMode, (one, mode) => {
      mkdirSync(one, { mode });
      this.#folders.push(one);
    });
    const fd = openSync(target, "wx", 0o600);
    this.#files.push(target);
    return fd;
  }

  /** Removes all that was made. A folder in which somebody else has put something stays. */
  undo() {
    for (const target of this.#files) rmSync(target, { force: true });
    for (const folder of this.#folders.toReversed()) {
      try {
        rmdirSync(folder);
      } catch {
        // Not empty.
      }
    }
  }
}

/**
 * Tells of each path whether it is there; a link that leads nowhere is there, too.
 *
 * @param {string} folder in which they are
 * @returns {(path: string) => boolean} throws UsageError where that cannot be known: the folder is a file, or somebody
 *   else's
 */
export function isThereIn(folder) {
  return (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch (cause) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
      throw new UsageError(`${refusedBy(folder, code)}. Nothing was written: give another --to FOLDER.`);
    }
  };
}

/**
 * @param {string} folder
 * @param {string | undefined} code
 */
export const refusedBy = (folder, code) =>
  code === "ENOTDIR" ? `${folder} is no folder` : `cannot write below ${folder}: ${code}`;

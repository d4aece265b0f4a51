import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing. Node's own way of that (`recursive`) never ends in Node 20 where the
 * system says that a folder is missing which is there, as it does of one to be made in `/proc`.
 *
 * @param {string} path absolute
 * @param {number} mode of the folders that are made; one that is there stays as it is
 * @param {(path: string, mode: number) => void} [makeOne]
 * @throws what the system says
 */
export function makeFolders(path, mode, makeOne = (folder) => mkdirSync(folder, { mode })) {
  const missing = [];
  for (let one = path; !existsSync(one) && one !== dirname(one); one = dirname(one)) missing.push(one);
  if (missing.length === 0 && !isFolder(path)) makeOne(path, mode);
  for (const folder of missing.reverse()) {
    try {
      makeOne(folder, mode);
    } catch (cause) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
      // Another process may have made it in the meantime.
      if (code !== "EEXIST" || !isFolder(folder)) throw cause;
    }
  }
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

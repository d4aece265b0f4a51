import { renameSync, rmSync } from "node:fs";

/** @typedef {{ code: string, message: string, hint: string, path: string }} Warning */

/** @type {Warning[]} */
const warnings = [];

/**
 * Sets a file of the data folder aside that is not what was written there, and remembers to tell of it: on the
 * terminal at once, on the page once it is served. One is kept, beside it.
 *
 * @param {string} path
 * @param {string} message what was damaged, and what comes of it
 * @param {string} hint what to do about it
 */
export function setDamagedAside(path, message, hint) {
  try {
    rmSync(`${path}.damaged`, { recursive: true, force: true });
    renameSync(path, `${path}.damaged`);
  } catch {
    // Where it cannot be moved, what is written next says why.
  }
  warnings.push({ code: "kept-file-damaged", message, hint, path });
  process.stderr.write(`backscroll: ${message}. ${hint}\n`);
}

/** What has been set aside in this process. */
export function damagedFiles() {
  return warnings;
}

import { renameSync, rmSync } from "node:fs";

/** @typedef {{ code: string, message: string, hint: string, path: string }} Warning */

/** @type {Warning[]} */
const warnings = [];

/**
 * Moves a damaged file of the data folder aside and records a warning, which is printed at once and shown on the page
 * later. Only the latest damaged file is kept, beside the original path.
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
    // The file could not be moved; writing the new one will report why.
  }
  warnings.push({ code: "kept-file-damaged", message, hint, path });
  process.stderr.write(`backscroll: ${message}. ${hint}\n`);
}

/** Warnings about all files moved aside by this process. */
export function damagedFiles() {
  return warnings;
}

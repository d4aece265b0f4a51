import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { defaultDataDir, findAnnotationsDir, findArchiveDir, openDataDir } from "./data-dir.mjs";
import { readingFlags } from "./options.mjs";
import { findRoots } from "./roots.mjs";
import { UsageError } from "./usage-error.mjs";

/**
 * What a run reads and where it keeps things, found on this machine.
 *
 * @typedef {object} Context
 * @property {import("./roots.mjs").Root[]} roots
 * @property {string} dataDir
 * @property {string | null} archiveDir `null` where nothing is kept
 * @property {string} annotationsDir
 * @property {string | undefined} prices the real path of a table of prices
 * @property {string[]} flags with which another command reads the same
 */

/**
 * Finds what the options name, and makes the data folder.
 *
 * @param {import("./options.mjs").Options} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Context}
 * @throws {UsageError} what is not there, cannot be read, or lies where nothing may be written
 */
export function findContext(options, env) {
  const roots = findRoots(options, env);
  const paths = roots.map((root) => root.path);
  const dataDir = openDataDir(resolve(options.dataDir ?? defaultDataDir(env, options.demo)), paths);
  return {
    roots,
    dataDir,
    archiveDir: findArchiveDir(options, env, paths),
    annotationsDir: findAnnotationsDir(options, env, dataDir, paths),
    prices: findPrices(options.prices),
    flags: readingFlags(options),
  };
}

/** Everybody's prices take 0.8 MB. */
const MAX_PRICES_BYTES = 16 << 20;

/**
 * The real path of a table of prices. The server says what is wrong inside of it; a path that leads to no JSON at all is a
 * mistake on the command line.
 *
 * @param {string | undefined} path
 */
function findPrices(path) {
  if (path === undefined) return undefined;
  try {
    const stats = statSync(path);
    // Each thread of the server reads it again, which a pipe does not allow.
    if (!stats.isFile() && !stats.isDirectory())
      throw new UsageError(
        `${path} is a pipe or a device. Save the prices in a file, and give that as --prices.`,
      );
    if (stats.size > MAX_PRICES_BYTES)
      throw new UsageError(`${path} is too large for a table of prices. README shows their form.`);
    JSON.parse(readFileSync(path, "utf8"));
    return realpathSync.native(path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT")
      throw new UsageError(`there is no file ${path}. Check the path given as --prices.`);
    if (code === "EISDIR")
      throw new UsageError(`${path} is a folder. Give the file of prices in it as --prices.`);
    if (code !== undefined)
      throw new UsageError(`the prices in ${path} cannot be read (${code}). Check its permissions.`);
    throw new UsageError(`the prices in ${path} are no JSON: ${message}. README shows their form.`);
  }
}

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { makeFolders } from "../../lib/server/disk/make-folders.mjs";
import { homeFolder } from "./home-folder.mjs";
import { UsageError } from "./usage-error.mjs";

/**
 * The default folder for the index and the token: the platform's cache folder. The samples have their own, so that
 * looking at them never touches the index of the real sessions.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {boolean} demo
 */
export function defaultDataDir(env, demo) {
  const folder = join(cacheDir(env), "backscroll");
  return demo ? join(folder, "demo") : folder;
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function cacheDir(env) {
  if (process.platform === "win32") return env.LOCALAPPDATA || join(homeFolder(), "AppData", "Local");
  if (process.platform === "darwin") return join(homeFolder(), "Library", "Caches");
  return env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)
    ? env.XDG_CACHE_HOME
    : join(homeFolder(), ".cache");
}

/**
 * Creates the data folder, readable by its owner only. Returns its real path.
 *
 * @param {string} folder absolute
 * @param {string[]} roots real paths of the logs' folders, under which nothing is ever written
 * @throws {UsageError} when it cannot be made or lies among the logs
 */
export function openDataDir(folder, roots) {
  return inDataDir(folder, () => {
    for (const root of roots) refuseInside(folder, root);
    makeFolders(folder, 0o700);
    const real = realpathSync(folder);
    // On a case-insensitive file system, only the native real path has one spelling for both folders.
    for (const root of roots) refuseInside(realpathSync.native(folder), nativePath(root));
    return real;
  });
}

/**
 * Reads or writes something in the data folder.
 *
 * @template T
 * @param {string} folder
 * @param {() => T} work
 * @returns {T}
 * @throws {UsageError} for what the disk refuses: another's file, a full disk
 */
export function inDataDir(folder, work) {
  try {
    return work();
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (cause instanceof UsageError || code === undefined) throw cause;
    throw new UsageError(`cannot use the data folder ${folder} (${code}). Give another with --data-dir DIR.`);
  }
}

/**
 * The folder in which what was read of the logs is kept; `null`: nowhere. It is no cache: nothing in it can be made
 * again. It is made with the first file in it, so that a place that cannot be written is a warning on the page.
 *
 * @param {{ archive: boolean, archiveDir: string | undefined, dataDir: string | undefined, demo: boolean }} options
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string[]} roots real paths of the logs' folders, under which nothing is ever written
 * @returns {string | null} absolute
 * @throws {UsageError} when it lies among the logs
 */
export function findArchiveDir({ archive, archiveDir, dataDir, demo }, env, roots) {
  if (!archive || demo) return null;
  const folder = archiveDir ?? (dataDir === undefined ? defaultArchiveDir(env) : join(dataDir, "archive"));
  const path = nearestRealPath(resolve(folder));
  for (const root of roots) refuseInside(path, nativePath(root), "archive", "--archive-dir");
  return path;
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function defaultArchiveDir(env) {
  return join(permanentDir(env), "backscroll", "archive");
}

/**
 * The folder in which stars, notes and comments are kept: like the archive no cache.
 *
 * @param {{ dataDir: string | undefined, demo: boolean }} options
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} opened the real path of the data folder
 * @param {string[]} roots real paths of the logs' folders, under which nothing is ever written
 * @returns {string} absolute
 * @throws {UsageError} when it lies among the logs
 */
export function findAnnotationsDir({ dataDir, demo }, env, opened, roots) {
  const isOwn = dataDir !== undefined || demo;
  const path = nearestRealPath(join(isOwn ? opened : join(permanentDir(env), "backscroll"), "annotations"));
  for (const root of roots) refuseInside(path, nativePath(root), "folder of annotations");
  return path;
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function permanentDir(env) {
  if (process.platform === "win32") return env.LOCALAPPDATA || join(homeFolder(), "AppData", "Local");
  if (process.platform === "darwin") return join(homeFolder(), "Library", "Application Support");
  return env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME)
    ? env.XDG_DATA_HOME
    : join(homeFolder(), ".local", "share");
}

/**
 * The real path of what is there of a path, with the rest of it.
 *
 * @param {string} path absolute
 * @returns {string}
 */
export function nearestRealPath(path) {
  if (existsSync(path)) return realpathSync.native(path);
  const above = dirname(path);
  return above === path ? path : join(nearestRealPath(above), basename(path));
}

/** @param {string} root may not exist yet: the client creates it later */
function nativePath(root) {
  return existsSync(root) ? realpathSync.native(root) : root;
}

/**
 * @param {string} folder
 * @param {string} root
 * @param {string} name what the folder is called
 * @param {string} flag which names another
 */
export function refuseInside(folder, root, name = "data folder", flag = "--data-dir") {
  const path = relative(root, folder);
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return;
  throw new UsageError(
    `the ${name} ${folder} lies among the logs, where nothing is ever written. Give another with ${flag} DIR.`,
  );
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renameHeld } from "../../lib/server/disk/rename-held.mjs";
import { ROOT } from "./run.mjs";

/** Where Next writes its build, relative to the repository. */
export const DIST_DIR = process.env.BACKSCROLL_DIST_DIR ?? ".next";

/**
 * Each built server has a folder of its own here, which none that is built later touches: one that runs reads its files as
 * they are needed, and goes on until the start after an update takes its place.
 */
const SERVERS = join(ROOT, `${DIST_DIR}-servers`);

/** Written last, so that what was broken off has none. bin/cli/locate-server.mjs reads it too. */
const STAMP = "backscroll-build.json";

/**
 * Puts a server that has been built where it stays. Of those before it the newest is kept, since that may be running.
 *
 * @param {string} built its folder so far
 * @param {string} sources a hash of what it was built from
 * @returns {string} the folder in which it is now
 */
export function keepServer(built, sources, servers = SERVERS) {
  const folder = join(servers, sources.slice(0, 16));
  const [, ...older] = foldersIn(servers).filter((other) => other !== folder);
  rmSync(folder, { recursive: true, force: true });
  for (const gone of older) removeUnlessUsed(gone);
  mkdirSync(servers, { recursive: true });
  writeFileSync(join(built, STAMP), JSON.stringify({ sources }));
  renameHeld(built, folder);
  return folder;
}

/**
 * The folder of the server that was built last, and the hash of what it was built from; `null` where there is none.
 *
 * @returns {{ folder: string, sources: string } | null}
 */
export function newestServer(servers = SERVERS) {
  const [folder] = foldersIn(servers);
  if (folder === undefined) return null;
  const { sources } = JSON.parse(readFileSync(join(folder, STAMP), "utf8"));
  return { folder, sources };
}

/**
 * @param {string} servers
 * @returns {string[]} the folders of all built servers, the newest first
 */
function foldersIn(servers) {
  if (!existsSync(servers)) return [];
  const folders = readdirSync(servers)
    .map((name) => join(servers, name))
    .filter((folder) => existsSync(join(folder, STAMP)));
  const builtMs = new Map(folders.map((folder) => [folder, statSync(join(folder, STAMP)).mtimeMs]));
  return folders.sort((one, other) => Number(builtMs.get(other)) - Number(builtMs.get(one)));
}

/** @param {string} folder a server may still run there, from which Windows takes nothing away */
function removeUnlessUsed(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It goes with a later build.
  }
}

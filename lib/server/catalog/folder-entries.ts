import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Health } from "@/lib/wire/health";
import { nextSlice } from "../next-slice";
import { isUnder } from "./confined-file";
import { explainFault, faultCode, isMissing } from "./file-fault";

export type Warning = Health["warnings"][number];

/** A file as found in a folder; `path` is real. */
export type FoundFile = {
  path: string;
  name: string;
  dev: number;
  ino: number;
  bytes: number;
  mtimeMs: number;
};

export type FolderEntries = {
  files: FoundFile[];
  folders: { path: string; name: string }[];
  names: Set<string>;
};

type Walk = { root: string; warn: (warning: Warning) => void };

const EMPTY: FolderEntries = { files: [], folders: [], names: new Set() };

/**
 * The logs (`*.jsonl`) and folders in `dir`, with no link that leaves `root` followed: those, and what
 * may not be read, become warnings. A folder that is gone is empty. `dir` and `root` are real paths. Each look is
 * synchronous: thousands of files cost several times more in promises and in the threads behind them.
 */
export async function readFolderEntries(dir: string, walk: Walk): Promise<FolderEntries> {
  let entries: Dirent[];
  try {
    entries = readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) walk.warn({ ...explainFault(error), code: "folder-unreadable", path: dir });
    return EMPTY;
  }
  const found: FolderEntries = { files: [], folders: [], names: plainFiles(entries) };
  for (const entry of entries) {
    addEntry(found, dir, entry, walk);
    await nextSlice();
  }
  // Folders come in any order; ids and colours given later must not depend on it.
  found.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  found.folders.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

function plainFiles(entries: readonly Dirent[]): Set<string> {
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
}

function addEntry(found: FolderEntries, dir: string, entry: Dirent, walk: Walk): void {
  const path = join(dir, entry.name);
  const isLog = entry.name.endsWith(".jsonl");
  if (entry.isDirectory()) {
    found.folders.push({ path, name: entry.name });
  } else if (entry.isFile()) {
    if (isLog)
      addFile(
        found,
        path,
        entry.name,
        orNull(() => lstatSync(path)),
      );
  } else if (entry.isSymbolicLink()) {
    const target = orNull(() => realpathSync.native(path));
    if (target === null) return; // dangling, or a loop of links: nothing to read
    const stats = orNull(() => statSync(target));
    if (!stats || !(stats.isDirectory() || (isLog && stats.isFile()))) return;
    if (!isUnder(walk.root, target)) walk.warn(linkWarning(path));
    else if (stats.isDirectory()) found.folders.push({ path: target, name: entry.name });
    else addFile(found, target, entry.name, stats);
  }
}

function addFile(found: FolderEntries, path: string, name: string, stats: Stats | null): void {
  if (!stats?.isFile()) return;
  found.files.push({ path, name, dev: stats.dev, ino: stats.ino, bytes: stats.size, mtimeMs: stats.mtimeMs });
}

/** Null for a file that was deleted since the folder was read, or that may not be looked at. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (faultCode(error) !== null) return null;
    throw error;
  }
}

function linkWarning(path: string): Warning {
  return {
    code: "link-leaves-root",
    message: "A symbolic link leads out of the folder and is not followed",
    hint: "Name its target when starting Backscroll to read it as well.",
    path,
  };
}

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isUnder } from "@/lib/server/disk/confined-file";
import { ifAccessible } from "@/lib/server/disk/file-fault";
import { logNameOf, stem } from "@/lib/server/disk/log-names";
import type { RootFolder } from "@/lib/server/runtime/config";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { SourceFile } from "./keep-file";

/**
 * A file to keep, in the state in which it was listed. `folder`: the configuration folder's subfolder that contains it,
 * or null.
 */
export type ListedFile = { source: SourceFile; stats: Stats; folder: string | null };

/** The folders of a configuration folder that belong to sessions. `conversations` is that of versions before 1.0. */
const FOLDERS = ["projects", "conversations", "todos", "tasks", "plans", "file-history", "image-cache"];
const FILES = ["history.jsonl"];
/** The folders of a configuration folder that are kept. */
export const OF_CLIENT: readonly string[] = [...FOLDERS, ...FILES];
/** In a folder that was named for its logs, these contain what belongs to one of them. */
const OF_SESSION = new Set(["subagents", "tool-results", "workflows"]);
const NEVER = new Set(["node_modules", ".git"]);
const MAX_DEPTH = 12;
const MAX_FOLDERS = 20_000;

/** A folder whose files are kept. Both are real paths; `root` is what the user named, `within` bounds what is read. */
type Place = {
  kind: RootFolder["kind"];
  root: string;
  within: string;
  only: string | null;
  folder: string | null;
};

/**
 * The files of these roots that are kept: everything below a configuration folder's sessions, todos, tasks, plans and
 * backups, and in any other folder its logs with what belongs to them. Links are not followed: their targets inside are
 * found where they are. What cannot be listed is left out.
 */
export async function filesToKeep(roots: readonly RootFolder[]): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const root of roots) {
    for (const place of placesOf(root)) {
      const stats = ifAccessible(() => lstatSync(place.within));
      if (stats?.isFile()) files.push(listed(place, place.within, stats));
      else await addFilesIn(place, files);
    }
  }
  return files;
}

/** The file at a path as it would be listed; null for one that would not be, or is gone. */
export function fileToKeep(roots: readonly RootFolder[], path: string): ListedFile | null {
  const stats = ifAccessible(() => lstatSync(path));
  if (!stats?.isFile()) return null;
  for (const root of roots) {
    for (const place of placesOf(root)) {
      if (isUnder(place.within, path) && isKept(place, path)) return listed(place, path, stats);
    }
  }
  return null;
}

function placesOf({ path, kind }: RootFolder): Place[] {
  const root = ifAccessible(() => realpathSync.native(path));
  if (root === null) return [];
  if (kind === "loose") {
    const isFile = ifAccessible(() => lstatSync(root))?.isFile() ?? false;
    const within = isFile ? dirname(root) : root;
    return [{ kind, root: within, within, only: isFile ? stem(basename(root)) : null, folder: null }];
  }
  // Each may be a link of its own: the projects' folder on another disk is usual.
  return OF_CLIENT.flatMap((name) => {
    const within = ifAccessible(() => realpathSync.native(join(/*turbopackIgnore: true*/ root, name)));
    return within === null ? [] : [{ kind, root, within, only: null, folder: name }];
  });
}

async function addFilesIn(place: Place, files: ListedFile[]): Promise<void> {
  const waiting = [{ folder: place.within, depth: 0 }];
  let folders = 0;
  for (let next = waiting.shift(); next && folders < MAX_FOLDERS; next = waiting.shift()) {
    const { folder, depth } = next;
    folders += 1;
    await nextSlice();
    for (const entry of entriesIn(folder)) {
      const path = join(/*turbopackIgnore: true*/ folder, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH && !NEVER.has(entry.name))
        waiting.push({ folder: path, depth: depth + 1 });
      else if (entry.isFile() && isKept(place, path)) {
        const stats = ifAccessible(() => lstatSync(path));
        if (stats) files.push(listed(place, path, stats));
      }
    }
  }
}

function isKept({ kind, within, only }: Place, path: string): boolean {
  // A name that is not UTF-8 cannot be opened by the string that Node makes of it.
  if (path.includes("\ufffd")) return false;
  if (kind === "config") return true;
  const parts = relative(within, path).split(sep);
  if (only !== null && !(parts[0] === only || stem(parts[0] ?? "") === only)) return false;
  const name = parts.at(-1) ?? "";
  const isLog = logNameOf(name, new Set()) === "log";
  return isLog || name.endsWith(".meta.json") || parts.slice(0, -1).some((part) => OF_SESSION.has(part));
}

function listed({ root, within, folder }: Place, path: string, stats: Stats): ListedFile {
  const kind = /\.jsonl$/i.test(path) ? "log" : "file";
  return { source: { path, root, within, kind }, stats, folder };
}

function entriesIn(folder: string): Dirent[] {
  return ifAccessible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

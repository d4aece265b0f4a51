import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { Warning } from "@/lib/wire/library";
import { isUnder } from "./confined-file";
import { explainFault, faultCode, ifAccessible, isMissing } from "./file-fault";
import { type FileStats, type KeptEntry, keptFiles } from "./kept-files";
import { type LogName, logNameOf, type UnreadFile, unread } from "./log-names";

/** A file as found in a folder; `path` is real. `kept`: it is no longer on disk, and a copy is kept. */
export type FoundFile = {
  path: string;
  name: string;
  dev: number;
  ino: number;
  bytes: number;
  mtimeMs: number;
  kept?: true;
};

export type FolderEntries = {
  files: FoundFile[];
  /** `linked`: reached through a symbolic link; `path` is its target. */
  folders: FoundFolder[];
  names: Set<string>;
  unread: UnreadFile[];
};

/** A folder in a folder. `linked`: reached through a symbolic link; `path` is its target. */
export type FoundFolder = { path: string; name: string; linked: boolean };

type Walk = { root: string; warn: (warning: Warning) => void };

const EMPTY: FolderEntries = { files: [], folders: [], names: new Set(), unread: [] };

/**
 * The logs (`*.jsonl`) and folders in `dir`, with those that are kept and no longer there. Links that leave `root` are
 * not followed: these, and what may not be read, become warnings. An entry with the name of a log or a folder that is
 * neither is `unread`, and so is a folder with the name of a log, beside being a folder. A missing folder is empty.
 * `dir` and `root` are real paths. File system calls are synchronous: for thousands of files promises and thread-pool
 * calls cost several times more.
 */
export async function readFolderEntries(dir: string, walk: Walk): Promise<FolderEntries> {
  const kept = keptFiles()?.entries(dir) ?? [];
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) {
      const fault = { ...explainFault(error), code: "folder-unreadable", path: dir };
      walk.warn(fault);
      return { ...EMPTY, unread: [{ ...fault, bytes: null }] };
    }
    if (kept.length === 0) return EMPTY;
  }
  const onDisk = new Set(entries.map((entry) => entry.name));
  const gone = kept.filter(({ name }) => !onDisk.has(name));
  const found: FolderEntries = { files: [], folders: [], names: plainFiles(entries), unread: [] };
  for (const { name, isFolder } of gone) if (!isFolder) found.names.add(name);
  for (const entry of entries) {
    addEntry(found, dir, entry, walk);
    await nextSlice();
  }
  for (const entry of gone) {
    addKept(found, dir, entry);
    await nextSlice();
  }
  // The system lists entries in any order; ids and colours assigned later must not depend on it.
  for (const list of [found.files, found.folders]) list.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

function plainFiles(entries: readonly Dirent[]): Set<string> {
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
}

function addEntry(found: FolderEntries, dir: string, entry: Dirent, walk: Walk): void {
  const { name } = entry;
  const path = join(dir, name);
  const kind = logNameOf(name, found.names);
  if (name.includes("\ufffd") && ifAccessible(() => lstatSync(path)) === null) {
    if (kind !== null || entry.isDirectory()) found.unread.push(unread("name-not-utf8", path, null));
  } else if (entry.isDirectory()) addFolder(found, { path, name, linked: false }, path, kind);
  else if (entry.isSymbolicLink()) addLink(found, path, name, kind, walk);
  else if (kind === null) return;
  else if (!entry.isFile()) found.unread.push(unread("not-a-file", path, null));
  else {
    const stats = ifAccessible(() => lstatSync(path));
    if (kind === "log") addFile(found, path, name, stats);
    else found.unread.push(unread(kind, path, stats?.size ?? null));
  }
}

/** What lies in a folder is read whatever its name; `at` is the folder itself, or the link to it. */
function addFolder(found: FolderEntries, folder: FoundFolder, at: string, kind: LogName | null): void {
  found.folders.push(folder);
  if (kind === "log") found.unread.push(unread("is-a-folder", at, null));
}

/** A kept file was a plain file under its root when it was kept. */
function addKept(found: FolderEntries, dir: string, { name, isFolder }: KeptEntry): void {
  const path = join(dir, name);
  const kind = logNameOf(name, found.names);
  if (isFolder) found.folders.push({ path, name, linked: false });
  else if (kind === "log") {
    const stats = keptFiles()?.find(path)?.stats;
    if (stats) found.files.push({ ...toFound(path, name, stats), kept: true });
  }
}

function addLink(found: FolderEntries, path: string, name: string, kind: LogName | null, walk: Walk): void {
  let target: string;
  try {
    target = realpathSync.native(path);
  } catch (error) {
    const code = faultCode(error);
    if (code === null) throw error;
    // A link with any other extension would not lead to records.
    const isMeant = kind !== null || !name.includes(".");
    if (isMeant) found.unread.push(unread(code === "ELOOP" ? "link-loops" : "link-dangles", path, null));
    return;
  }
  const stats = ifAccessible(() => statSync(target));
  if (!stats || (!stats.isDirectory() && kind === null)) return;
  if (!isUnder(walk.root, target)) {
    const why = unread("link-leaves-root", path, stats.isFile() ? stats.size : null);
    found.unread.push(why);
    const { code, message, hint } = why;
    walk.warn({ code, message, hint, path });
  } else if (stats.isDirectory()) {
    if (isUnder(target, path)) found.unread.push(unread("link-loops", path, null));
    else addFolder(found, { path: target, name, linked: true }, path, kind);
  } else if (!stats.isFile()) found.unread.push(unread("not-a-file", path, null));
  else if (kind === "log") addFile(found, target, name, stats);
  else if (kind !== null) found.unread.push(unread(kind, path, stats.size));
}

function addFile(found: FolderEntries, path: string, name: string, stats: Stats | null): void {
  if (stats?.isFile()) found.files.push(toFound(path, name, stats));
}

function toFound(path: string, name: string, { dev, ino, size, mtimeMs }: FileStats): FoundFile {
  return { path, name, dev, ino, bytes: size, mtimeMs };
}

/** The first `digits` hex digits of a SHA-256: names that are the same on every start. */
export function shortHash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

/** The name that the client gives a project's folder: every UTF-16 unit except ASCII letters and digits becomes `-`. */
export function slugOf(directory: string): string {
  return directory.replace(/[^A-Za-z0-9]/g, "-");
}

/** The length at which 2.1.110 and later cut a name, before adding a hash of it. */
const MAX_SLUG = 200;

/**
 * Whether a project's folder has the name that the client gives to a directory. On Windows the drive's letter is lower
 * case where an editor's terminal started the client; a long name is compared up to its cut.
 */
export function isSlugOf(name: string, directory: string): boolean {
  const [one, other] = [name, directory].map((text) =>
    slugOf(text).replace(/^[a-z](?=--)/, (drive) => drive.toUpperCase()),
  ) as [string, string];
  if (one === other) return true;
  const isCut = other.length > MAX_SLUG && /^-[0-9a-z]+$/.test(one.slice(MAX_SLUG));
  return isCut && one.startsWith(other.slice(0, MAX_SLUG));
}

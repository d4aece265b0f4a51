import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { faultCode, isMissing } from "./file-fault";

/** What the system says about a file; for one that is only kept, what it said last. */
export type FileStats = { dev: number; ino: number; size: number; mtimeMs: number };

/**
 * Whether an inode number identifies a file or folder on its disk. File systems without such numbers report 0 for each;
 * those of NTFS and ReFS have 64 bits, of which a JavaScript number represents 53: neighbours may then look the same.
 */
export function hasInode({ ino }: Pick<FileStats, "ino">): boolean {
  return ino !== 0 && Number.isSafeInteger(ino);
}

/** A file of which a copy is kept. */
export interface KeptCopy {
  readonly stats: FileStats;
  /** Reads up to `length` bytes from `position` to `buffer` at `offset`. Returns their number, 0 at the file's end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): number;
  /** Makes the next `read` of these bytes fast, without blocking this thread meanwhile. */
  prepare(length: number, position: number): Promise<void>;
}

/** An entry of a folder, on disk or in the archive. */
export type KeptEntry = { name: string; isFolder: boolean };

/** Copies of files, by the paths at which the files are or were. All paths are real. */
export interface KeptFiles {
  /** The folder of the copies, for other threads. */
  readonly place: string;
  /** Null if no file at this path is kept. */
  find(path: string): KeptCopy | null;
  /** The kept files and folders in a folder, in any order. Empty in threads that receive no listings. */
  entries(folder: string): readonly KeptEntry[];
  /** The paths of all of them. Empty in threads that receive no listings. */
  paths(): Iterable<string>;
  /** Increases when a file is added, or is kept no longer. */
  readonly revision: number;
}

const KEY = Symbol.for("backscroll.kept-files");
/** On `globalThis`, since a thread's entry points may be bundled apart. */
const holder = globalThis as { [KEY]?: KeptFiles | null };

/** From now on this thread reads missing files from these copies; `null`: no longer. */
export function setKeptFiles(files: KeptFiles | null): void {
  holder[KEY] = files;
}

/** The copies that this thread reads from, `null` without any. */
export function keptFiles(): KeptFiles | null {
  return holder[KEY] ?? null;
}

/** The file on disk at a path, or else the kept one; `null` for neither. Throws the system's other faults. */
export function statOf(path: string): FileStats | null {
  const found = statSync(/*turbopackIgnore: true*/ path, { throwIfNoEntry: false });
  return found ?? keptFiles()?.find(path)?.stats ?? null;
}

/** The same for a plain file, not a link to one; `null` for anything else on disk. */
export function statOfPlainFile(path: string): FileStats | null {
  const found = lstatSync(/*turbopackIgnore: true*/ path, { throwIfNoEntry: false });
  if (found) return found.isFile() ? found : null;
  return keptFiles()?.find(path)?.stats ?? null;
}

/** When the file on disk was made, milliseconds since 1970; `null` for none, and where its file system does not say. */
export function madeAtMs(path: string): number | null {
  return statSync(/*turbopackIgnore: true*/ path, { throwIfNoEntry: false })?.birthtimeMs || null;
}

/** True for what is on disk, whether or not it is kept. */
export function isOnDisk(path: string): boolean {
  return existsSync(/*turbopackIgnore: true*/ path);
}

/** True for what is on disk, and for a kept file even if it is damaged. */
export function isThere(path: string): boolean {
  try {
    return isOnDisk(path) || keptFiles()?.find(path) != null;
  } catch (error) {
    if (isViewerError(error)) return true;
    throw error;
  }
}

/** True for a file or folder that is kept, on disk or not. */
function isKept(path: string): boolean {
  const kept = keptFiles();
  return kept !== null && (kept.entries(path).length > 0 || kept.find(path) !== null);
}

/** The text of a whole file, from disk or as it is kept. Throws the system's errors. */
export function readText(path: string): string {
  try {
    return readFileSync(/*turbopackIgnore: true*/ path, "utf8");
  } catch (error) {
    const kept = isMissing(error) ? keptFiles()?.find(path) : null;
    if (!kept) throw error;
    const bytes = Buffer.allocUnsafe(kept.stats.size);
    return bytes.toString("utf8", 0, kept.read(bytes, 0, bytes.length, 0));
  }
}

/** The names in a folder, on disk or kept, sorted; none for a missing or unreadable folder. Links are left out. */
export function namesIn(folder: string): { files: string[]; folders: string[] } {
  const files = new Set<string>();
  const folders = new Set<string>();
  const onDisk = new Set<string>();
  try {
    for (const entry of readdirSync(/*turbopackIgnore: true*/ folder, { withFileTypes: true })) {
      onDisk.add(entry.name);
      if (entry.isFile()) files.add(entry.name);
      else if (entry.isDirectory()) folders.add(entry.name);
    }
  } catch (error) {
    if (faultCode(error) === null) throw error;
  }
  for (const { name, isFolder } of keptFiles()?.entries(folder) ?? [])
    if (!onDisk.has(name)) (isFolder ? folders : files).add(name);
  return { files: [...files].sort(), folders: [...folders].sort() };
}

/**
 * The real path of a file or folder, or the one that it had if it is only kept; `null` if it is neither on disk nor
 * kept. Throws the system's other faults.
 */
export function realPathOf(path: string): string | null {
  let above = path;
  let below = "";
  for (;;) {
    try {
      const real = join(realpathSync.native(/*turbopackIgnore: true*/ above), below);
      return below === "" || isKept(real) ? real : null;
    } catch (error) {
      const parent = dirname(above);
      if (!isMissing(error)) throw error;
      if (keptFiles() === null || parent === above) return null;
      below = join(basename(above), below);
      above = parent;
    }
  }
}

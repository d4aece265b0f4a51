import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writevSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";
import { makeFolders } from "@/lib/server/disk/make-folders.mjs";

const FOLDER_MODE = 0o700;
/**
 * A folder may change twice within a tick of its clock, so its modification time identifies its state only after this
 * long without a change.
 */
const SETTLED_MS = 10_000;

/** True if a later change of a folder with this modification time will be visible in it. */
export function isSettled(changedMs: number): boolean {
  return changedMs <= Date.now() - SETTLED_MS;
}

/**
 * Waits until a file's bytes survive a loss of power. On another thread: many at once cost the disk little more than
 * one.
 */
export function synced(descriptor: number): Promise<void> {
  return promisify(fsync)(descriptor);
}

/** Makes a folder, and those above it, for this account alone; one that is there stays as it is. */
export function makeFolder(path: string): void {
  makeFolders(path, FOLDER_MODE);
}

/** Creates something at a path, and its folder if there is none yet. */
export function inFolder<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolder(dirname(path));
    return make();
  }
}

/** Writes these one after another. */
export function writeAll(descriptor: number, parts: readonly Uint8Array[]): void {
  let written = writevSync(descriptor, parts);
  for (const part of parts) {
    // A disk that is nearly full may have written a part of it.
    if (written < part.length) writeFileSync(descriptor, part.subarray(written));
    written = Math.max(0, written - part.length);
  }
}

/** Another process may have moved it first. */
export function move(from: string, to: string): void {
  unlessMissing(() => renameSync(from, to));
}

/** The bytes of a file, in `into` if they fit there; `null` if it is not there. */
export function readOrNull(path: string, into?: Uint8Array): Uint8Array | null {
  return unlessMissing(() => (into ? readInto(path, into) : readFileSync(path)));
}

function readInto(path: string, into: Uint8Array): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const bytes = size <= into.length ? into.subarray(0, size) : Buffer.allocUnsafeSlow(size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, size, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The stats of a file or folder; `null` if it is not there. */
export function statOrNull(path: string) {
  return unlessMissing(() => statSync(path, { throwIfNoEntry: false })) ?? null;
}

/** The names in a folder; none if it is not there. */
export function storedNames(path: string): string[] {
  return unlessMissing(() => readdirSync(path)) ?? [];
}

/** The entries of a folder, with what each is; none if it is not there. */
export function entriesIn(path: string) {
  return unlessMissing(() => readdirSync(path, { withFileTypes: true })) ?? [];
}

/** True if the file is there: it counts as put now. */
export function putNow(path: string): boolean {
  const now = new Date();
  return unlessMissing(() => utimesSync(path, now, now) ?? true) ?? false;
}

/** Null for what is not there. */
export function unlessMissing<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Errors of disks that cannot sync a folder: network disks, and those of another system below this one. */
const UNKNOWN_TO_DISK: ReadonlySet<string | null> = new Set([
  "EINVAL",
  "ENOTSUP",
  "ENOSYS",
  "EISDIR",
  "EBADF",
]);

/** Makes a new name in a folder survive a crash, as far as its disk can. Windows cannot open folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    await synced(descriptor);
  } catch (error) {
    if (!UNKNOWN_TO_DISK.has(faultCode(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

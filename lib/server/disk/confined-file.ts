import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { normalize, sep } from "node:path";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { explainFault, isMissing } from "./file-fault";
import { type KeptCopy, keptFiles } from "./kept-files";
import { DiskFile, type OpenFile, type OpenFileHandle, openKept, openKeptHandle } from "./open-file";

// Absent on Windows. NONBLOCK prevents opening a FIFO with a log's name from blocking.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** True when `path` is `root` or below it. Both must be real paths: this compares text. */
export function isUnder(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Opens a regular file for reading whose real path is under `root` (itself a real path), or what is kept of one that
 * is gone. The check is repeated on the open descriptor where the system supports it, so a link swapped in between is
 * caught. Throws ViewerErrors: `file-gone`, `outside-root`, `not-a-file`, `file-unreadable`.
 */
export async function openConfined(root: string, path: string): Promise<OpenFileHandle> {
  const kept = keptInstead(root, path);
  return kept ? openKeptHandle(kept) : openOnDisk(root, path);
}

/** `openConfined` for a thread that may block: throws the same ViewerErrors. */
export function openConfinedSync(root: string, path: string): OpenFile {
  const kept = keptInstead(root, path);
  return kept ? openKept(kept) : openOnDiskSync(root, path);
}

/**
 * The kept copy of a file that is gone. It is found by the real path that the file had. It is checked first: an error
 * for each of thousands of deleted logs would cost more than opening them.
 */
function keptInstead(root: string, path: string): KeptCopy | null {
  const kept = keptFiles();
  if (kept === null || existsSync(path) || !isUnder(root, normalize(path))) return null;
  return kept.find(path);
}

async function openOnDisk(root: string, path: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    const real = await realpath(path);
    if (!isUnder(root, real)) throw outside(path);
    handle = await open(real, FLAGS);
  } catch (cause) {
    throw toViewerError(path, cause);
  }
  try {
    if (!(await handle.stat()).isFile()) throw notAFile(path);
    if (process.platform === "linux" && !isUnder(root, await descriptorPath(handle, root)))
      throw outside(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `openConfinedSync` for what is on disk alone, whatever is kept. */
export function openOnDiskSync(root: string, path: string): DiskFile {
  let descriptor: number;
  try {
    const real = realpathSync.native(path);
    if (!isUnder(root, real)) throw outside(path);
    descriptor = openSync(real, FLAGS);
  } catch (cause) {
    throw toViewerError(path, cause);
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw notAFile(path);
    if (process.platform === "linux" && !isUnder(root, descriptorPathSync(descriptor, root)))
      throw outside(path);
    return new DiskFile(descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function notAFile(path: string): ViewerError {
  return new ViewerError("not-a-file", "This is not a regular file", {
    path,
    status: 409,
    hint: "A folder, pipe, socket or device is never opened. Rename what has a log’s name.",
  });
}

function descriptorPathSync(descriptor: number, root: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    if (isMissing(error)) return root;
    throw error;
  }
}

/** The real path of the descriptor. Without /proc there is nothing to compare, and `root` is returned. */
async function descriptorPath(handle: FileHandle, root: string): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch (error) {
    if (isMissing(error)) return root;
    throw error;
  }
}

function outside(path: string): ViewerError {
  return new ViewerError("outside-root", "This file lies outside the folders that Backscroll reads", {
    path,
    status: 403,
    hint: "A symbolic link leads out of the folder. Name the target itself when starting Backscroll.",
  });
}

function toViewerError(path: string, cause: unknown): unknown {
  if (cause instanceof ViewerError) return cause;
  if (isMissing(cause)) {
    return new ViewerError("file-gone", "This log is no longer there", {
      path,
      hint: "It was moved or deleted. Reload the library.",
      cause,
    });
  }
  if (!(cause instanceof Error && "code" in cause)) return cause;
  const { message, hint } = explainFault(cause);
  return new ViewerError("file-unreadable", message, { path, hint, status: 409, cause });
}

import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Codes with which Windows refuses to rename a file that somebody else has open, or a folder that contains one. */
const HELD = new Set(["EPERM", "EACCES", "EBUSY"]);

/** A virus scanner opens a new file for some milliseconds, and a folder of thousands of files for longer. */
export const HELD_WAITS_MS = [10, 20, 50, 100, 200, 400, 800];

/**
 * Whether the system refused to rename for a reason that may be over in a moment.
 *
 * @param {unknown} cause
 * @param {string} [platform]
 */
export function isHeld(cause, platform = process.platform) {
  return platform === "win32" && HELD.has(/** @type {NodeJS.ErrnoException} */ (cause)?.code ?? "");
}

/**
 * Renames a file or folder that was just written, over a file that may be there. On Windows it is tried again for a
 * second and a half where somebody holds it, and blocks its thread meanwhile.
 *
 * @param {string} from
 * @param {string} to
 * @param {{ platform?: string, rename?: (from: string, to: string) => void, waitsMs?: readonly number[] }} [system]
 * @throws what `renameSync` throws in the end
 */
export function renameHeld(from, to, { platform, rename = renameSync, waitsMs = HELD_WAITS_MS } = {}) {
  for (const waitMs of waitsMs) {
    try {
      return rename(from, to);
    } catch (cause) {
      if (!isHeld(cause, platform)) throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
  return rename(from, to);
}

/**
 * Writes what `renameHeld` is to put into the place of a small file of our own, for its user alone. Where that fails, as on
 * a full disk, nothing of it is left.
 *
 * @param {string} draft
 * @param {string} content
 * @throws what `writeFileSync` throws
 */
export function writeDraft(draft, content) {
  try {
    writeFileSync(draft, content, { mode: 0o600 });
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

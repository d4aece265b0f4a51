import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { faultCode } from "./file-fault";
import { HELD_WAITS_MS, isHeld } from "./rename-held.mjs";

/**
 * Writes a small file of our own, for its user alone. The old file stays until the new one is complete. Rejects with
 * the system's errors.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  // Another server of the same folder may be writing its own.
  const own = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(/*turbopackIgnore: true*/ own, content, { mode: 0o600 });
    await renameWhenFree(own, path);
  } catch (error) {
    // On a full disk a part of it would only take room.
    await rm(/*turbopackIgnore: true*/ own, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As the one that blocks its thread. */
async function renameWhenFree(from: string, to: string): Promise<void> {
  for (const waitMs of HELD_WAITS_MS) {
    try {
      return await rename(/*turbopackIgnore: true*/ from, to);
    } catch (error) {
      if (!isHeld(error)) throw error;
      await pause(waitMs);
    }
  }
  return rename(/*turbopackIgnore: true*/ from, to);
}

/**
 * Moves a file of our own that is not what it should be out of the way of a new one, so that whoever knows better can
 * still read it. Of several that were, the last one stays. Never rejects: in a folder without write access it is left
 * where it is.
 */
export async function setAside(path: string): Promise<void> {
  try {
    await rm(/*turbopackIgnore: true*/ `${path}.damaged`, { recursive: true, force: true });
    await rename(/*turbopackIgnore: true*/ path, `${path}.damaged`);
  } catch (error) {
    if (faultCode(error) === null) throw error;
  }
}

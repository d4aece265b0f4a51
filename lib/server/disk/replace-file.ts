import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { faultCode } from "./file-fault";
import { HELD_WAITS_MS, isHeld } from "./rename-held.mjs";

/**
 * Writes a file of our own, for its user alone. The old file stays until the new one is complete. Rejects with the
 * system's errors.
 * @param content of a long file its parts, which are written one after another
 */
export async function replaceFile(path: string, content: string | Iterable<string>): Promise<void> {
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

/** How a draft of `replaceFile` ends. */
const DRAFT = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/;
/** A draft is renamed within seconds, also by another server of the same folder. */
const LEFT_AFTER_MS = 3_600_000;

/** Removes what processes that were killed have left of files that they were replacing. Never rejects. */
export async function removeLeftDrafts(folder: string): Promise<void> {
  const names = await unlessFault(readdir(/*turbopackIgnore: true*/ folder));
  for (const name of names?.filter((one) => DRAFT.test(one)) ?? []) {
    const path = join(/*turbopackIgnore: true*/ folder, name);
    const writtenMs =
      (await unlessFault(stat(/*turbopackIgnore: true*/ path)))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - writtenMs > LEFT_AFTER_MS)
      await unlessFault(rm(/*turbopackIgnore: true*/ path, { force: true }));
  }
}

/** Null where the system refuses. */
async function unlessFault<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return null;
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

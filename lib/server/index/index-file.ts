import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Health } from "@/lib/wire/health";
import { isBusy, isDamage, messageOf } from "./index-fault";
import { SCHEMA, SCHEMA_VERSION } from "./index-schema";
import { type Database, openDatabase } from "./load-sqlite";

export type Warning = Health["warnings"][number];

/** `writer` holds the lock; `reader` uses what another viewer writes; `none` runs from memory. */
export type IndexFile =
  | { mode: "writer" | "reader"; path: string; database: Database; warnings: Warning[]; close(): void }
  | { mode: "none"; path: string; database: null; warnings: Warning[]; close(): void };

const NAME = "index.db";
const OWNER_ONLY = 0o600;

/**
 * Opens the index of a data folder for writing, or as much of it as can be had. Never throws: what is
 * wrong becomes a warning, since the viewer works without an index.
 */
export function openIndexFile(dataDir: string): IndexFile {
  const warnings: Warning[] = [];
  let path = join(dataDir, NAME);
  try {
    // A cache folder may be emptied while the server runs.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // A newer version's index is never touched: ours then lies beside it.
    if (versionOf(path) > SCHEMA_VERSION) path = join(dataDir, `index-${SCHEMA_VERSION}.db`);
    const unlock = lock(path);
    if (!unlock) return openReader(path, warnings);
    try {
      const database = openWriter(path, warnings);
      return { mode: "writer", path, database, warnings, close: () => closeAll(database, unlock) };
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    warnings.push(unusable(path, error));
    return { mode: "none", path, database: null, warnings, close: () => undefined };
  }
}

/** Sets a damaged index aside, so that the next opening starts a new one. One is kept for whoever wants to look. */
export function setAside(path: string): void {
  const aside = `${path}.damaged`;
  rmSync(aside, { force: true });
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  if (existsSync(path)) renameSync(path, aside);
}

/**
 * Tells a file from another of its name, also where the second one was given the inode of the first. Null where there
 * is none, or it cannot be looked at.
 */
export function fileIdOf(path: string): string | null {
  try {
    const { dev, ino, birthtimeMs } = statSync(path);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return null;
  }
}

/** What an open index consists of: other files, or none, mean that somebody has removed or replaced them. */
export function indexFilesOf(path: string): { database: string | null; lock: string | null } {
  return { database: fileIdOf(path), lock: fileIdOf(`${path}.lock`) };
}

/** What a reader is told when the index was taken away while the server ran. */
export function removedWarning(path: string): Warning {
  return {
    code: "index-rebuilt",
    message: "The index was removed while Backscroll ran and is being built again",
    hint: "Nothing is lost: it is made from the logs, which searches read until then.",
    path,
  };
}

/** What a reader is told when the index had to be made anew. */
export function rebuiltWarning(path: string, reason: string): Warning {
  return {
    code: "index-rebuilt",
    message: `The index was damaged (${reason}) and is being built again`,
    hint: "Nothing is lost: it is made from the logs. The damaged one lies beside it.",
    path,
  };
}

/** What a reader is told when the index cannot be written. */
export function unusable(path: string, error: unknown): Warning {
  return {
    code: "index-unusable",
    message: `The index cannot be used (${messageOf(error)}), so everything is kept in memory`,
    hint: "Free some space or check the folder's permissions; until then each start reads all logs again.",
    path,
  };
}

function versionOf(path: string): number {
  if (!existsSync(path)) return 0;
  let database: Database | null = null;
  try {
    database = openDatabase(path);
    return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
  } catch (error) {
    if (isDamage(error) || isBusy(error)) return 0;
    throw error;
  } finally {
    database?.close();
  }
}

function openWriter(path: string, warnings: Warning[]): Database {
  // Left behind by an index that was removed: they would be taken for the new one's.
  if (!existsSync(path)) for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  closeSync(openSync(path, "a", OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
  try {
    return prepare(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAside(path);
    warnings.push(rebuiltWarning(path, messageOf(error)));
    closeSync(openSync(path, "a", OWNER_ONLY));
    return prepare(path);
  }
}

function prepare(path: string): Database {
  const database = openDatabase(path);
  try {
    database.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
    );
    database.exec(
      "PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -4000",
    );
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (version === SCHEMA_VERSION) return database;
    const { n } = database.prepare("SELECT count(*) AS n FROM sqlite_master").get() as { n: number };
    if (n === 0) {
      database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
      return database;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  // Older, or left half made: everything in it can be had from the logs.
  database.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  closeSync(openSync(path, "a", OWNER_ONLY));
  return prepare(path);
}

function openReader(path: string, warnings: Warning[]): IndexFile {
  const database = openDatabase(path, { readOnly: true });
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version === SCHEMA_VERSION)
    return { mode: "reader", path, database, warnings, close: () => database.close() };
  database.close();
  return { mode: "none", path, database: null, warnings, close: () => undefined };
}

/**
 * The one writer's lock: a database beside the index, locked for as long as the process lives and free
 * as soon as it does not, however it ended. Null if another holds it.
 */
function lock(path: string, isSecondTry = false): (() => void) | null {
  closeSync(openSync(`${path}.lock`, "a", OWNER_ONLY));
  const database = openDatabase(`${path}.lock`);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    return () => database.close();
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    // Whoever holds it would have kept us from reading what is wrong with it.
    if (!isDamage(error) || isSecondTry) throw error;
    rmSync(`${path}.lock`, { force: true });
    return lock(path, true);
  }
}

function closeAll(database: Database, unlock: () => void): void {
  database.close();
  unlock();
}

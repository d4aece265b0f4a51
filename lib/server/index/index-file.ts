import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "@/lib/server/disk/make-folders.mjs";
import { makeOwnerOnly } from "@/lib/server/disk/owner-only.mjs";
import type { Warning } from "@/lib/wire/library";
import { type Database, openDatabase } from "./load-sqlite";
import { SHARES } from "./share-store";

/** `writer` holds the lock; `reader` uses what another viewer writes; `none` runs from memory. */
export type IndexFile =
  | { mode: "writer" | "reader"; path: string; database: Database; warnings: Warning[]; close(): void }
  | { mode: "none"; path: string; database: null; warnings: Warning[]; close(): void };

const NAME = "index.db";
const OWNER_ONLY = 0o600;

/**
 * Opens the index of a data folder for writing, or as far as possible. Never throws: problems become warnings, since
 * the viewer works without an index.
 */
export function openIndexFile(dataDir: string): IndexFile {
  const warnings: Warning[] = [];
  let path = join(dataDir, NAME);
  try {
    // A cache folder may be emptied while the server runs.
    makeFolders(dataDir, 0o700);
    // A newer version's index is never touched: ours is then a file beside it.
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

/** Sets a damaged index aside, so that the next opening starts a new one. One is kept for inspection. */
export function setIndexAside(path: string): void {
  const aside = `${path}.damaged`;
  rmSync(aside, { force: true });
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  if (existsSync(path)) renameSync(path, aside);
}

/**
 * Identifies a file, also if a later one of the same name was given its inode. Null where there is none, or it cannot
 * be examined.
 */
export function fileIdOf(path: string): string | null {
  try {
    const { dev, ino, birthtimeMs } = statSync(path);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return null;
  }
}

/** The files of an open index: if they are others, or missing, somebody has removed or replaced them. */
export type IndexFiles = { database: string | null; lock: string | null; log: string | null };

/** What `fileIdOf` says of the files of the index at `path`: `null` for one that is missing. */
export function indexFilesOf(path: string): IndexFiles {
  return { database: fileIdOf(path), lock: fileIdOf(`${path}.lock`), log: logIdOf(path) };
}

/** The same for SQLite's write-ahead log and its shared memory, which exist while somebody has the index open. */
export function logIdOf(path: string): string | null {
  const [log, memory] = [fileIdOf(`${path}-wal`), fileIdOf(`${path}-shm`)];
  return log && memory && `${log} ${memory}`;
}

/**
 * Removes an index whose write-ahead log was removed: another process would find the half that is in the database, and
 * wait for the other half.
 */
export function removeRest(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
}

/** The warning for an index that was removed while the server ran. */
export function removedWarning(path: string): Warning {
  return {
    code: "index-rebuilt",
    message: "The index was removed while Backscroll ran and is being built again",
    hint: "Nothing is lost: it is made from the logs, which searches read until then.",
    path,
  };
}

/** The warning for an index that had to be rebuilt. */
export function rebuiltWarning(path: string, reason: string): Warning {
  return {
    code: "index-rebuilt",
    message: `The index was damaged (${reason}) and is being built again`,
    hint: "Nothing is lost: it is made from the logs. The damaged one lies beside it.",
    path,
  };
}

/** The warning for an index that cannot be written. */
export function unusable(path: string, error: unknown): Warning {
  return {
    code: "index-unusable",
    message: `The index cannot be used (${messageOf(error)}), so everything is kept in memory`,
    hint: "Free some space or check the folder’s permissions; until then each start reads all logs again.",
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
  // Left over from an index that was removed: they would be taken for the new one's.
  if (!existsSync(path)) for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  closeSync(openSync(path, "a", OWNER_ONLY));
  makeOwnerOnly(path);
  try {
    return prepare(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    setIndexAside(path);
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
  // Older, or incomplete: everything in it can be read from the logs again.
  database.close();
  removeRest(path);
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
 * The single writer's lock: a database beside the index, locked for as long as the process lives and free as soon as it
 * ends, however it ends. Null if another process holds it.
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
    // If somebody held it, we could not have read what is wrong with it.
    if (!isDamage(error) || isSecondTry) throw error;
    rmSync(`${path}.lock`, { force: true });
    return lock(path, true);
  }
}

function closeAll(database: Database, unlock: () => void): void {
  database.close();
  unlock();
}

/** Raise it with every change of what is stored, of how texts are extracted from records, or of signatures. */
export const SCHEMA_VERSION = 36;

/**
 * `sessions`: what a start needs. `skeletons`: their tables in parts, which may lag behind the sessions'
 * entries; apart, since SQLite writes a row whole. `chunks`: searchable texts of a session, some 32 KiB a row,
 * with the signature that says which words cannot stand in them and a checksum of that alone, since it is read alone. `shares`: see there. Every row carries a checksum of its own,
 * and a chunk's id is never given out twice, so that a search can keep signatures in memory.
 */
const SCHEMA = `
  CREATE TABLE sessions(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, inode TEXT NOT NULL,
    entry TEXT NOT NULL, sum INTEGER NOT NULL
  );
  CREATE INDEX sessions_inode ON sessions(inode);
  CREATE TABLE skeletons(
    session INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL
  );
  CREATE UNIQUE INDEX skeletons_session ON skeletons(session, part);
  CREATE TABLE chunks(
    id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, sum INTEGER NOT NULL,
    signature BLOB NOT NULL, signature_sum INTEGER NOT NULL, places TEXT NOT NULL, texts BLOB NOT NULL
  );
  CREATE INDEX chunks_session ON chunks(session);
  ${SHARES}
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** SQLite's result codes, the low byte of the extended ones. */
const BUSY = new Set([5, 6]);
/** Faults of the disk, the system or another process: the file's content may well be right. */
const SURROUNDINGS = new Set([3, 7, 8, 10, 13, 14, 15, 22, 23]);

/** Extended codes among them that do concern the content: pages that are shorter than they should be. */
const SHORT_READ = 522;

/** True if another process holds the file. */
export function isBusy(error: unknown): boolean {
  return (
    BUSY.has(codeOf(error)) || (error instanceof Error && /database (?:table )?is locked/.test(error.message))
  );
}

/**
 * True if the file's content is wrong, so that only a new one helps. A flipped byte shows in many ways: a missing
 * table, a syntax error in the schema. So this is every error that the environment does not explain.
 */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof Error && "errcode" in error && error.errcode === SHORT_READ) return true;
  return code !== 0 && !BUSY.has(code) && !SURROUNDINGS.has(code);
}

/** An error of SQLite or of the file system, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * 0 for an error that is not SQLite's. Both drivers put its code into `errcode`; one that has none is a plain error
 * (1).
 */
function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if ("sqliteCode" in error && typeof error.sqliteCode === "number") return error.sqliteCode & 0xff;
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? 1 : 0;
}

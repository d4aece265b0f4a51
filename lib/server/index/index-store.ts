import { crc32 } from "node:zlib";
import type { SessionShare } from "@/lib/log/graph/session-share";
import { freeMemory } from "@/lib/server/runtime/free-memory";
import type { StoredEntry, StoredText } from "@/lib/server/scan/stored-session";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import { hasRoom, type TextChunk, textsOf } from "./chunk";
import type { Database, Statement } from "./load-sqlite";
import { ShareStore, type StoredShare } from "./share-store";
import { decodeSkeleton, type StoredSkeleton } from "./skeleton-codec";

/**
 * A session as it is stored in the index. `row` identifies it until it is saved again, `files` says how far the table
 * reaches.
 */
export type StoredSession = StoredSkeleton & { row: number; entry: StoredEntry };

/**
 * A session as it is written, with the chunks of its new texts and the one that they go on from. `skeleton`: its
 * table in parts; without one the stored one stays, and lags behind the entry.
 */
export type EncodedSession = {
  entry: StoredEntry;
  skeleton: Iterable<Uint8Array> | null;
  chunks: TextChunk[];
  replaces: number | null;
  /** Messages that are new or have grown, and all turns. */
  share: SessionShare;
};

type SessionRow = { id: number; entry: string; sum: number };
type PartRow = { part: number; sum: number; bytes: Uint8Array };
type ChunkRow = TextChunk & { id: number; sum: number };
/** The data that shows whether a chunk may contain a word, as it is stored in the database. */
export type SignatureRow = { session: number; signature: Uint8Array; signature_sum: number };
type CheckedRow = ChunkRow & SignatureRow;

/** The index over an open database with the current schema. Every method throws what SQLite throws; see `index-fault.ts`. */
export class IndexStore {
  readonly #database: Database;
  readonly #insertChunk: Statement;
  readonly #insertSession: Statement;
  readonly #updateSession: Statement;
  readonly #insertPart: Statement;
  readonly #forgetParts: Statement;
  readonly #shares: ShareStore;
  readonly #byPath: Statement;
  readonly #byInode: Statement;
  readonly #partsOf: Statement;
  readonly #lastChunk: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#insertChunk = database.prepare(
      "INSERT INTO chunks(session, sum, signature, signature_sum, places, texts) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#insertSession = database.prepare(
      "INSERT INTO sessions(path, inode, entry, sum) VALUES (?, ?, ?, ?) RETURNING id",
    );
    this.#updateSession = database.prepare(
      "UPDATE sessions SET (path, inode, entry, sum) = (?, ?, ?, ?) WHERE id = ?",
    );
    this.#insertPart = database.prepare(
      "INSERT INTO skeletons(session, part, sum, bytes) VALUES (?, ?, ?, ?)",
    );
    this.#forgetParts = database.prepare("DELETE FROM skeletons WHERE session = ?");
    this.#shares = new ShareStore(database);
    this.#byPath = database.prepare("SELECT id, entry, sum FROM sessions WHERE path = ?");
    this.#byInode = database.prepare("SELECT id, entry, sum FROM sessions WHERE inode = ?");
    this.#partsOf = database.prepare(
      "SELECT part, sum, bytes FROM skeletons WHERE session = ? ORDER BY part",
    );
    this.#lastChunk = database.prepare("SELECT * FROM chunks WHERE session = ? ORDER BY id DESC LIMIT 1");
  }

  /**
   * Every session's files and numbers, with its place in the database. One that is damaged, or was counted by a version that
   * counts less, is left out.
   */
  entries(): { row: number; entry: StoredEntry }[] {
    const rows = this.#database.prepare("SELECT id, entry, sum FROM sessions").all() as SessionRow[];
    return rows.flatMap((row) => {
      const entry = entryOf(row);
      return entry ? [{ row: row.id, entry }] : [];
    });
  }

  /** The place in the database of every session, and its main log. */
  paths(): { row: number; path: string }[] {
    return this.#database.prepare("SELECT id AS row, path FROM sessions").all() as {
      row: number;
      path: string;
    }[];
  }

  /** What each session adds to totals over sessions. One that is damaged is left out. */
  shares(): StoredShare[] {
    return this.#shares.all();
  }

  /** By the main log's path, else by its inode (`dev:ino`), so that a renamed log is known. Null for what `entries` leaves out. */
  load(path: string, inode: string): StoredSession | null {
    const found = (this.#byPath.get(path) ?? this.#byInode.get(inode)) as SessionRow | undefined;
    const entry = found ? entryOf(found) : null;
    if (!found || !entry) return null;
    const skeleton = decodeSkeleton(checked(this.#partsOf.iterate(found.id) as Iterable<PartRow>));
    return skeleton && { ...skeleton, row: found.id, entry };
  }

  /** The session's last chunk, if it has room for more texts. */
  openChunk(row: number): { id: number; texts: StoredText[] } | null {
    const last = this.#lastChunk.get(row) as ChunkRow | undefined;
    if (!last || !hasRoom(last) || sumOf(last) !== last.sum) return null;
    return { id: last.id, texts: textsOf(last) };
  }

  /**
   * In one transaction. `row`: the chunks of that row stay and these are added; otherwise the session is rewritten.
   * Returns its row, or null where another process is the one that writes.
   */
  save(row: number | null, { entry, skeleton, chunks, replaces, share }: EncodedSession): number | null {
    return transact(this.#database, () => {
      const old = this.#byPath.get(mainOf(entry).path) as SessionRow | undefined;
      if (old && old.id !== row) this.#forget(old.id);
      const id = this.#put(row, entry);
      if (skeleton) {
        this.#forgetParts.run(id);
        let part = 0;
        for (const bytes of skeleton) {
          this.#insertPart.run(id, part, crc32(bytes, part), bytes);
          part += 1;
        }
      }
      this.#shares.put(id, share);
      if (replaces !== null) this.#database.prepare("DELETE FROM chunks WHERE id = ?").run(replaces);
      for (const chunk of chunks) {
        const { signature, places, texts } = chunk;
        this.#insertChunk.run(id, sumOf(chunk), signature, signatureSumOf(id, signature), places, texts);
      }
      return id;
    });
  }

  forget(row: number): void {
    transact(this.#database, () => this.#forget(row));
  }

  /**
   * Checks the database and every text, and returns what is wrong, or null. Entries and skeletons are checked when they
   * are read.
   */
  check(): string | null {
    const found = this.#database.prepare("PRAGMA quick_check(1)").get() as
      | { quick_check: string }
      | undefined;
    if (found?.quick_check !== "ok") return found?.quick_check ?? "no answer";
    const rows = this.#database
      .prepare("SELECT session, sum, signature, signature_sum, places, texts FROM chunks")
      .iterate() as Iterable<CheckedRow>;
    for (const row of rows) {
      const isRight = sumOf(row) === row.sum && isSignatureRow(row);
      for (const bytes of [row.texts, row.signature]) freeMemory(bytes);
      if (!isRight) return "a text's checksum is wrong";
    }
    return null;
  }

  close(): void {
    this.#database.close();
  }

  #forget(row: number): void {
    this.#database.prepare("DELETE FROM chunks WHERE session = ?").run(row);
    this.#forgetParts.run(row);
    this.#shares.forget(row);
    this.#database.prepare("DELETE FROM sessions WHERE id = ?").run(row);
  }

  #put(row: number | null, entry: StoredEntry): number {
    const json = JSON.stringify(entry);
    const { path, inode } = mainOf(entry);
    const values = [path, inode, json, crc32(json)] as const;
    if (row === null) return (this.#insertSession.get(...values) as { id: number }).id;
    this.#updateSession.run(...values, row);
    return row;
  }
}

/** The figures that an entry of this version has. */
const COUNTED = Object.keys(UNKNOWN_FIGURES);

/** Null for one that is damaged, or that lacks a figure. */
function entryOf({ entry, sum }: SessionRow): StoredEntry | null {
  if (crc32(entry) !== sum) return null;
  const stored = JSON.parse(entry) as StoredEntry;
  return COUNTED.every((field) => field in stored.numbers) ? stored : null;
}

/** The index that another process writes: what is new or gone is left to that process. */
export class ReadOnlyIndexStore extends IndexStore {
  override save(): null {
    return null;
  }

  override forget(): void {}
}

/** The checksum of a chunk's row. */
export function sumOf({ signature, places, texts }: TextChunk): number {
  return crc32(texts, crc32(places, crc32(signature)));
}

/** The checksum of a chunk's signature, and of the session that it belongs to. */
function signatureSumOf(session: number, signature: Uint8Array): number {
  return crc32(signature, session);
}

/** True for a signature that was written for this session and is unchanged. */
export function isSignatureRow({ session, signature, signature_sum }: SignatureRow): boolean {
  return signatureSumOf(session, signature) === signature_sum;
}

/** The parts up to the first one that is damaged. */
function* checked(rows: Iterable<PartRow>): Generator<Uint8Array> {
  for (const { part, sum, bytes } of rows) {
    if (crc32(bytes, part) !== sum) return;
    yield bytes;
  }
}

function mainOf({ files: [main] }: StoredEntry): { path: string; inode: string } {
  if (!main) throw new Error("A session without a main log cannot be stored");
  return { path: main.path, inode: `${main.dev}:${main.ino}` };
}

function transact<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has rolled back by itself if the disk was full; then there is nothing left to undo.
    try {
      database.exec("ROLLBACK");
    } catch {
      // The first error is the relevant one.
    }
    throw error;
  }
}

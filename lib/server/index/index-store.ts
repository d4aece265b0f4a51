import { crc32 } from "node:zlib";
import type { SessionShare } from "@/lib/thread/session-share";
import type { SessionTableData } from "@/lib/thread/session-table";
import type { Chunk } from "./chunk";
import type { Database } from "./load-sqlite";
import { createShareStore, type StoredShare } from "./share-store";
import { decodeSkeleton } from "./skeleton-codec";
import type { StoredEntry } from "./stored-session";

/** A session as it lies in the index. `row` names it until it is saved again. */
export type StoredSession = { row: number; entry: StoredEntry; table: SessionTableData };

/** A session as it is written, with the chunks of its new texts and the messages that are new or have grown. */
export type EncodedSession = {
  entry: StoredEntry;
  skeleton: Uint8Array;
  chunks: Chunk[];
  share: SessionShare;
};

/** The persistent index. Every method throws what SQLite throws; see `index-fault.ts`. */
export type IndexStore = {
  /** Every session's files and numbers, with its place in the database. One that is damaged is left out. */
  entries(): { row: number; entry: StoredEntry }[];
  /** What each session adds to totals over sessions. One that is damaged is left out. */
  shares(): StoredShare[];
  /** By the main log's path, else by its inode (`dev:ino`), so that a renamed log is known. Null if damaged. */
  load(path: string, inode: string): StoredSession | null;
  /** In one transaction. `row`: the chunks of that row stay and these are added; else the session is written anew. */
  save(row: number | null, session: EncodedSession): void;
  forget(row: number): void;
  /** Looks through the database and every text, and returns what is wrong, or null. Entries and skeletons are checked when they are read. */
  check(): string | null;
  close(): void;
};

type Row = { id: number; entry: string; entry_sum: number; skeleton_sum: number; skeleton: Uint8Array };

/** The store over an open database with the current schema. */
export function createIndexStore(database: Database): IndexStore {
  const insertChunk = database.prepare(
    "INSERT INTO chunks(session, sum, signature, places, texts) VALUES (?, ?, ?, ?, ?)",
  );
  const columns = "path, inode, entry, entry_sum, skeleton_sum, skeleton";
  const insertSession = database.prepare(
    `INSERT INTO sessions(${columns}) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const updateSession = database.prepare(
    `UPDATE sessions SET (${columns}) = (?, ?, ?, ?, ?, ?) WHERE id = ?`,
  );
  const shares = createShareStore(database);
  const byPath = database.prepare("SELECT * FROM sessions WHERE path = ?");
  const byInode = database.prepare("SELECT * FROM sessions WHERE inode = ?");

  function forget(row: number): void {
    database.prepare("DELETE FROM chunks WHERE session = ?").run(row);
    shares.forget(row);
    database.prepare("DELETE FROM sessions WHERE id = ?").run(row);
  }

  function put(row: number | null, { entry, skeleton }: EncodedSession): number {
    const json = JSON.stringify(entry);
    const { path, inode } = mainOf(entry);
    const values = [path, inode, json, crc32(json), crc32(skeleton), skeleton] as const;
    if (row === null) return (insertSession.get(...values) as { id: number }).id;
    updateSession.run(...values, row);
    return row;
  }

  return {
    entries() {
      const rows = database.prepare("SELECT id, entry, entry_sum FROM sessions").all() as Row[];
      return rows.flatMap(({ id, entry, entry_sum }) =>
        crc32(entry) === entry_sum ? [{ row: id, entry: JSON.parse(entry) as StoredEntry }] : [],
      );
    },
    shares: () => shares.all(),
    load(path, inode) {
      const found = (byPath.get(path) ?? byInode.get(inode)) as Row | undefined;
      if (!found || crc32(found.entry) !== found.entry_sum || crc32(found.skeleton) !== found.skeleton_sum)
        return null;
      const table = decodeSkeleton(found.skeleton);
      return table && { row: found.id, entry: JSON.parse(found.entry) as StoredEntry, table };
    },
    save(row, session) {
      transact(database, () => {
        const old = byPath.get(mainOf(session.entry).path) as Row | undefined;
        if (old && old.id !== row) forget(old.id);
        const id = put(row, session);
        shares.put(id, session.share);
        for (const chunk of session.chunks)
          insertChunk.run(id, sumOf(chunk), chunk.signature, chunk.places, chunk.texts);
      });
    },
    forget(row) {
      transact(database, () => forget(row));
    },
    check() {
      const found = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string } | undefined;
      if (found?.quick_check !== "ok") return found?.quick_check ?? "no answer";
      for (const row of database.prepare("SELECT sum, signature, places, texts FROM chunks").iterate()) {
        if (sumOf(row as ChunkRow) !== (row as ChunkRow).sum) return "a text's checksum is wrong";
      }
      return null;
    },
    close() {
      database.close();
    },
  };
}

type ChunkRow = Chunk & { sum: number };

/** The checksum of a chunk's row. */
export function sumOf({ signature, places, texts }: Chunk): number {
  return crc32(texts, crc32(places, crc32(signature)));
}

function mainOf({ files: [main] }: StoredEntry): { path: string; inode: string } {
  if (!main) throw new Error("A session without a main log cannot be stored");
  return { path: main.path, inode: `${main.dev}:${main.ino}` };
}

function transact(database: Database, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    // SQLite has rolled back by itself where the disk was full; then there is nothing left to undo.
    try {
      database.exec("ROLLBACK");
    } catch {
      // The first error is the one that tells.
    }
    throw error;
  }
}

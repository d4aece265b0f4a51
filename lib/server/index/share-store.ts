import { crc32 } from "node:zlib";
import type { SessionShare } from "@/lib/log/graph/session-share";
import type { Database } from "./load-sqlite";

/**
 * The contributions of sessions to totals over sessions: messages in parts, one for each time that the session was
 * saved, and its turns in one row, since a later line can show that a turn was none.
 */
export const SHARES = `
  CREATE TABLE shares(session INTEGER NOT NULL, turns INTEGER NOT NULL, sum INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX shares_session ON shares(session);
`;

/** A session's share by its main log. */
export type StoredShare = { path: string; share: SessionShare };

type ShareStore = {
  /** All shares; none for a session with a damaged part. */
  all(): StoredShare[];
  /** Adds the messages to those of the row, and replaces its turns. */
  put(row: number, share: SessionShare): void;
  forget(row: number): void;
};

type Row = { path: string; turns: number; sum: number; body: Uint8Array };

const NO_BYTES = new Uint8Array(0);

/** The shares of an open index. Every method throws what SQLite throws. */
export function createShareStore(database: Database): ShareStore {
  const insert = database.prepare("INSERT INTO shares(session, turns, sum, body) VALUES (?, ?, ?, ?)");
  const forgetTurns = database.prepare("DELETE FROM shares WHERE session = ? AND turns = 1");
  const forgetAll = database.prepare("DELETE FROM shares WHERE session = ?");

  function add(row: number, turns: 0 | 1, words: Uint32Array): void {
    // Node 22 writes NULL for memory without bytes.
    const body =
      words.length === 0 ? NO_BYTES : new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    insert.run(row, turns, crc32(body), body);
  }

  return {
    all() {
      const parts = new Map<string, { messages: Uint8Array[]; turns: Uint8Array[]; damaged: boolean }>();
      const rows = database
        .prepare(
          "SELECT path, turns, shares.sum, body FROM shares JOIN sessions ON sessions.id = shares.session ORDER BY shares.rowid",
        )
        .iterate();
      for (const row of rows) {
        const { path, turns, sum, body } = row as Row;
        const found = parts.get(path) ?? { messages: [], turns: [], damaged: false };
        parts.set(path, found);
        if (crc32(body) !== sum) found.damaged = true;
        found[turns === 1 ? "turns" : "messages"].push(body);
      }
      return [...parts].flatMap(([path, { messages, turns, damaged }]) =>
        damaged ? [] : [{ path, share: { messages: toWords(messages), turns: toWords(turns) } }],
      );
    },
    put(row, { messages, turns }) {
      if (messages.length > 0) add(row, 0, messages);
      forgetTurns.run(row);
      add(row, 1, turns);
    },
    forget(row) {
      forgetAll.run(row);
    },
  };
}

function toWords(parts: readonly Uint8Array[]): Uint32Array {
  const bytes = Buffer.concat(parts);
  const words = new Uint32Array(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

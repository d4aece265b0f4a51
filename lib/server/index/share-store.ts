import { crc32 } from "node:zlib";
import type { SessionShare } from "@/lib/log/graph/session-share";
import type { Database } from "./load-sqlite";

/**
 * The contributions of sessions to totals over sessions, by `Part`: messages in parts, one for each time that the session
 * was saved, its turns in one row, since a later line can show that a turn was none, and so the passes of its messages.
 */
export const SHARES = `
  CREATE TABLE shares(session INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX shares_session ON shares(session);
`;

const PARTS = ["messages", "turns", "passes"] as const satisfies readonly (keyof SessionShare)[];

/** A session's share by its main log. */
export type StoredShare = { path: string; share: SessionShare };

/** The part of an open index that holds them. */
export type ShareStore = {
  /** All shares; none for a session with a damaged part. */
  all(): StoredShare[];
  /** Adds the messages to those of the row, and replaces its turns and passes. */
  put(row: number, share: SessionShare): void;
  forget(row: number): void;
};

type Row = { path: string; part: number; sum: number; body: Uint8Array };

const NO_BYTES = new Uint8Array(0);

/** The shares of an open index. Every method throws what SQLite throws. */
export function createShareStore(database: Database): ShareStore {
  const insert = database.prepare("INSERT INTO shares(session, part, sum, body) VALUES (?, ?, ?, ?)");
  const forgetWhole = database.prepare("DELETE FROM shares WHERE session = ? AND part > 0");
  const forgetAll = database.prepare("DELETE FROM shares WHERE session = ?");

  function add(row: number, part: (typeof PARTS)[number], words: Uint32Array): void {
    // Node 22 writes NULL for memory without bytes.
    const body =
      words.length === 0 ? NO_BYTES : new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    insert.run(row, PARTS.indexOf(part), crc32(body), body);
  }

  return {
    all() {
      const shares = new Map<string, { parts: Uint8Array[][]; isDamaged: boolean }>();
      const rows = database
        .prepare(
          "SELECT path, part, shares.sum, body FROM shares JOIN sessions ON sessions.id = shares.session ORDER BY shares.rowid",
        )
        .iterate();
      for (const row of rows) {
        const { path, part, sum, body } = row as Row;
        const found = shares.get(path) ?? { parts: PARTS.map(() => []), isDamaged: false };
        shares.set(path, found);
        if (crc32(body) !== sum) found.isDamaged = true;
        found.parts[part]?.push(body);
      }
      return [...shares].flatMap(([path, { parts, isDamaged }]) => {
        const [messages = [], turns = [], passes = []] = parts;
        const share = { messages: toWords(messages), turns: toWords(turns), passes: toWords(passes) };
        return isDamaged ? [] : [{ path, share }];
      });
    },
    put(row, { messages, turns, passes }) {
      if (messages.length > 0) add(row, "messages", messages);
      forgetWhole.run(row);
      add(row, "turns", turns);
      if (passes.length > 0) add(row, "passes", passes);
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

import { crc32 } from "node:zlib";
import type { SessionShare } from "@/lib/log/graph/session-share";
import type { Database, Statement } from "./load-sqlite";

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

type Row = { path: string; part: number; sum: number; body: Uint8Array };

const NO_BYTES = new Uint8Array(0);

/** The shares of an open index. Every method throws what SQLite throws. */
export class ShareStore {
  readonly #database: Database;
  readonly #insert: Statement;
  readonly #forgetWhole: Statement;
  readonly #forgetAll: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare("INSERT INTO shares(session, part, sum, body) VALUES (?, ?, ?, ?)");
    this.#forgetWhole = database.prepare("DELETE FROM shares WHERE session = ? AND part > 0");
    this.#forgetAll = database.prepare("DELETE FROM shares WHERE session = ?");
  }

  /** All shares; none for a session with a damaged part. */
  all(): StoredShare[] {
    const shares = new Map<string, { parts: Uint8Array[][]; isDamaged: boolean }>();
    const rows = this.#database
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
  }

  /** Adds the messages to those of the row, and replaces its turns and passes. */
  put(row: number, { messages, turns, passes }: SessionShare): void {
    if (messages.length > 0) this.#add(row, "messages", messages);
    this.#forgetWhole.run(row);
    this.#add(row, "turns", turns);
    if (passes.length > 0) this.#add(row, "passes", passes);
  }

  forget(row: number): void {
    this.#forgetAll.run(row);
  }

  #add(row: number, part: (typeof PARTS)[number], words: Uint32Array): void {
    // Node 22 writes NULL for memory without bytes.
    const body =
      words.length === 0 ? NO_BYTES : new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    this.#insert.run(row, PARTS.indexOf(part), crc32(body), body);
  }
}

function toWords(parts: readonly Uint8Array[]): Uint32Array {
  const bytes = Buffer.concat(parts);
  const words = new Uint32Array(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

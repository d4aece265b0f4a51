import type { FactNames } from "@/lib/log/graph/session-share";
import type { SessionNumbers } from "@/lib/server/library/session-summary";
import type { SearchField } from "@/lib/wire/search";
import type { SessionFacets } from "./session-facets";

/**
 * A log as far as it has been indexed. `bytes` is the end of the last whole line, or of a last record that has no
 * newline (then `nextLine` is still its own); `size` was the file's size then. `head` and `tail` are hashes of the
 * first KiB and of the last one before `bytes`: with the inode they distinguish a log that has grown from one that was
 * truncated, replaced or started again.
 */
export type StoredFile = {
  path: string;
  key: string;
  agentId: string | null;
  dev: number;
  ino: number;
  size: number;
  bytes: number;
  /** Number of the line that starts at `bytes`. */
  nextLine: number;
  head: string;
  tail: string;
};

/** The last titles given in the main log, wherever they stand: 2.0.76–2.1.42 write one once, in mid-file. */
export type StoredTitles = { custom: string | null; ai: string | null };

/** What is read of every session at a start. The first file is the main log. */
export type StoredEntry = {
  files: StoredFile[];
  unread: number[];
  titles: StoredTitles;
  /** Names of its plans. */
  slugs: string[];
  numbers: SessionNumbers;
  facets: SessionFacets;
  /** The names that the numbers in its share refer to. */
  names: FactNames;
};

/** A text to be indexed and its place. `file` is a file's key. */
export type StoredText = {
  file: string;
  offset: number;
  block: number;
  field: SearchField;
  atMs: number | null;
  tool: string | null;
  text: string;
};

/** Fields as numbers, in the database. Append only. */
export const STORED_FIELDS: readonly SearchField[] = [
  "prompt",
  "text",
  "thinking",
  "input",
  "title",
  "output",
  "returned",
  "command",
  "attachment",
];

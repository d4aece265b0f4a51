import type { Health } from "./library";

/** What is kept of the logs. Without an archive `path` is null and every number 0. */
export type ArchiveResponse = {
  /** There is an archive, and what is new is kept in it. */
  enabled: boolean;
  path: string | null;
  files: number;
  /** As the files were, and as they are stored: compressed, with earlier states of files that were replaced. */
  bytes: number;
  storedBytes: number;
  /** Sessions that are no longer on disk, only in the archive. */
  keptOnly: number;
  lastKeptAtMs: number | null;
  /** Why something is not kept; empty when all is well. */
  problems: Health["warnings"];
  /** Null once the logs have been gone through since the start; before that begins, every number is 0. */
  filling: { filesDone: number; filesTotal: number; bytesDone: number; bytesTotal: number } | null;
};

/** The rules of what is kept from now on. They delete nothing. */
export type ArchiveSettings = {
  enabled: boolean;
  /** Working directories whose sessions are not kept. */
  leftOut: string[];
  /** The archive grows no further than this. Null: no limit. */
  maxStoredBytes: number | null;
  /** Files that nobody has written to for longer are not kept. Null: of any age. */
  maxAgeDays: number | null;
};

import { closeSync, readSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/records/parse-record";
import { addRecord } from "@/lib/thread/add-record";
import { SessionTable } from "@/lib/thread/session-table";
import { openConfinedSync } from "../catalog/confined-file";
import { isViewerError } from "../viewer-error";

/** A log to scan, by its absolute path. */
export type ScanFile = { path: string };

const CHUNK_BYTES = 1 << 20;

/** Long strings are cut to this before parsing: enough for every fact of the skeleton. */
const KEEP_BYTES = 512;

/** One for the thread: scanning is synchronous, and a megabyte a file would be most of its cost. */
const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Reads every line of a session's files once, in order, into a new table. It is synchronous, for a
 * thread of its own: thousands of small files cost more in promises than in reading. An agent's file
 * that has gone or cannot be read contributes nothing and is named in `unread`; without the main log
 * there is no session, so its ViewerError is thrown. A half line at the end waits to be finished.
 * @param onProgress bytes read so far, after every chunk
 */
export function scanSession(
  root: string,
  files: readonly ScanFile[],
  onProgress?: (bytesDone: number) => void,
): { table: SessionTable; unread: number[] } {
  const table = new SessionTable();
  const unread: number[] = [];
  let bytesDone = 0;
  for (const [file, { path }] of files.entries()) {
    try {
      readLines(
        root,
        path,
        (line) => addLine(table, file, line),
        (bytes) => onProgress?.((bytesDone += bytes)),
      );
    } catch (error) {
      if (file === 0 || !isViewerError(error)) throw error;
      unread.push(file);
    }
  }
  return { table, unread };
}

function addLine(table: SessionTable, file: number, line: RawLine): void {
  for (const record of parseLine(line, { keepBytes: KEEP_BYTES }))
    addRecord(table, file, record, () => parseRecord(line));
}

function readLines(
  root: string,
  path: string,
  take: (line: RawLine) => void,
  onRead: (bytes: number) => void,
): void {
  const splitter = new LineSplitter();
  const descriptor = openConfinedSync(root, path);
  try {
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, buffer, 0, CHUNK_BYTES, at);
      if (bytes === 0) return;
      splitter.push(buffer.subarray(0, bytes), take);
      at += bytes;
      onRead(bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

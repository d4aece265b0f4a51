import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { openConfinedSync } from "./confined-file";
import type { OpenFile } from "./open-file";

const CHUNK_BYTES = 1 << 20;

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Where a line of a log begins: its byte offset, and its number from 1. */
export type LineStart = { offset: number; line: number };

const LOG_START: LineStart = { offset: 0, line: 1 };

/** How far a log was read: its bytes up to there, and the last line where no newline ends it, which begins at `next`. */
export type LogRead = { bytes: number; rest: RawLine | null; next: LineStart };

/**
 * Reads a log up to the size that it had when it was opened: lines appended meanwhile belong to the next report.
 * Throws what `openConfined` throws.
 */
export function readLog(
  root: string,
  path: string,
  take: (line: RawLine) => void,
  onRead: (bytes: number) => void,
): LogRead {
  const file = openConfinedSync(root, path);
  try {
    return readOpenLog(file, take, onRead);
  } finally {
    file.close();
  }
}

/**
 * The same of an open log, from the beginning of one of its lines on.
 * @param onRead bytes read since the last call
 */
export function readOpenLog(
  file: OpenFile,
  take: (line: RawLine) => void,
  onRead: (bytes: number) => void,
  from: LineStart = LOG_START,
): LogRead {
  const splitter = new LineSplitter(from.offset, from.line);
  const { size } = file.stat();
  let at = from.offset;
  while (at < size) {
    const bytes = file.read(buffer, 0, Math.min(CHUNK_BYTES, size - at), at);
    if (bytes === 0) break;
    splitter.push(buffer.subarray(0, bytes), take);
    at += bytes;
    onRead(bytes);
  }
  return {
    bytes: at,
    rest: splitter.rest(),
    next: { offset: splitter.consumed, line: splitter.nextLine },
  };
}

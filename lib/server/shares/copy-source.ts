import { existsSync, readFileSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { isViewerError } from "@/lib/server/runtime/viewer-error";

/**
 * A file of a session: its path, and its path in the client's folder, with `/`. `key`: the beginning of the ids of a
 * log's records; null for a file that is no log.
 */
export type CopySource = { root: string; path: string; place: string; key: string | null };

/** Other files of a session than its logs are read as a whole; longer ones are left out. */
export const MAX_FILE_BYTES = 64 << 20;

const CHUNK_BYTES = 1 << 20;
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/** What `look` says of the file; null for one that is gone or may not be read. */
export function opened<T>({ root, path }: CopySource, look: (file: OpenFile) => T): T | null {
  try {
    const file = openConfinedSync(root, path);
    try {
      return look(file);
    } finally {
      file.close();
    }
  } catch (error) {
    if (isViewerError(error)) return null;
    throw error;
  }
}

/**
 * Calls `take` with each whole line from one offset to another. Returns the end of the last one, and the record after
 * it, if there is one: a log may end without a newline. A line that is still being written is none.
 */
export function eachWholeLine(
  file: OpenFile,
  from: number,
  size: number,
  take: (text: string, line: RawLine) => void,
): { end: number; last: string | null } {
  const splitter = new LineSplitter(from);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = from;
  while (at < size) {
    const bytes = file.read(buffer, 0, Math.min(CHUNK_BYTES, size - at), at);
    if (bytes === 0) break;
    splitter.push(buffer.subarray(0, bytes), (line) => take(decoder.decode(line.bytes), line));
    at += bytes;
  }
  const rest = splitter.rest();
  return { end: splitter.consumed, last: rest && beginsWithRecord(rest) ? decoder.decode(rest.bytes) : null };
}

/** The start of a line, at an offset or up to a MiB before it; 0 if there is none. */
export function lineBefore(file: OpenFile, offset: number): number {
  const from = Math.max(0, offset - CHUNK_BYTES);
  const bytes = Buffer.alloc(Math.max(0, offset - 1 - from));
  const read = file.read(bytes, 0, bytes.length, from);
  const newline = bytes.subarray(0, read).lastIndexOf(0x0a);
  return newline === -1 ? 0 : from + newline + 1;
}

/** Its first `size` bytes, or as many as there are. */
export function readWhole(file: OpenFile, size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const got = file.read(bytes, at, size - at, at);
    if (got === 0) break;
    at += got;
  }
  return bytes.subarray(0, at);
}

/** Null for what is no text in UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Whether a file of the copy contains one of these texts, as it is or as JSON writes it. A file that was left out
 * contains none.
 */
export function holdsAny(path: string, texts: readonly string[]): boolean {
  if (texts.length === 0 || !existsSync(path)) return false;
  const bytes = readFileSync(path);
  return texts.some((text) => bytes.includes(text) || bytes.includes(JSON.stringify(text).slice(1, -1)));
}

import { closeSync, readSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/records/line-splitter";
import { openConfinedSync } from "../catalog/confined-file";
import { identify, isContinued } from "../index/file-identity";
import type { StoredFile } from "../index/stored-session";

/** What stands behind the last whole line that was read of a file, and how far it is read with it. */
export type Appended = { lines: RawLine[]; file: StoredFile };

/**
 * Reads on in a log. Synchronous: some kilobytes of a file in the system's cache.
 * @returns null when the file is not the one that was read, only longer. Throws what `openConfinedSync` throws.
 */
export function readAppended(root: string, stored: StoredFile): Appended | null {
  const descriptor = openConfinedSync(root, stored.path);
  try {
    if (stored.bytes > 0 && !isContinued(stored, descriptor)) return null;
    const bytes = readFrom(descriptor, stored.bytes);
    const lines: RawLine[] = [];
    const splitter = new LineSplitter(stored.bytes, stored.nextLine);
    splitter.push(bytes, (line) => void lines.push(line));
    const { consumed, nextLine } = splitter;
    return { lines, file: { ...stored, ...identify(descriptor, consumed), bytes: consumed, nextLine } };
  } finally {
    closeSync(descriptor);
  }
}

const CHUNK_BYTES = 64 << 10;

/** Read into again and again: what is kept of it is copied. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

function readFrom(descriptor: number, from: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = from; ; ) {
    const read = readSync(descriptor, chunk, 0, CHUNK_BYTES, at);
    if (read === 0) break;
    chunks.push(new Uint8Array(chunk.subarray(0, read)));
    at += read;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

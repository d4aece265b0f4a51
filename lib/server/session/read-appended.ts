import { closeSync, readSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { continuedMarks, endsOpen, identify } from "@/lib/server/scan/file-identity";
import type { StoredFile } from "@/lib/server/scan/stored-session";

/** What stands behind what was read of a file, and how far it is read with it: see `StoredFile`. */
export type Appended = { lines: RawLine[]; file: StoredFile };

/**
 * Reads on in a log. Synchronous: some kilobytes of a file in the system's cache.
 * @returns null when the file is not the one that was read, only longer. Throws what `openConfinedSync` throws.
 */
export function readAppended(root: string, stored: StoredFile): Appended | null {
  const descriptor = openConfinedSync(root, stored.path);
  try {
    const marks = stored.bytes > 0 ? continuedMarks(stored, descriptor) : undefined;
    if (marks === null) return null;
    const openEnd = marks && endsOpen(marks) ? stored.bytes : -1;
    const lines: RawLine[] = [];
    const splitter = new LineSplitter(stored.bytes, stored.nextLine);
    splitter.push(readFrom(descriptor, stored.bytes), (line) => {
      if (line.offset !== openEnd) lines.push(line);
    });
    const { consumed, nextLine } = splitter;
    const rest = splitter.rest();
    const last = rest && beginsWithRecord(rest) ? rest : null;
    if (last) lines.push(last);
    const bytes = consumed + (last?.length ?? 0);
    return { lines, file: { ...stored, ...identify(descriptor, bytes), bytes, nextLine } };
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

import { closeSync, fstatSync, readSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { openConfinedSync } from "@/lib/server/disk/confined-file";

const CHUNK_BYTES = 1 << 20;

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Reads a log to the end that it had when it was opened: what is appended meanwhile belongs to the next report.
 * Returns the bytes read, and the last line where no newline ends it. Throws what `openConfined` throws.
 */
export function readLog(
  root: string,
  path: string,
  take: (line: RawLine) => void,
  onRead: (bytes: number) => void,
): { bytes: number; rest: RawLine | null } {
  const descriptor = openConfinedSync(root, path);
  try {
    const splitter = new LineSplitter();
    const { size } = fstatSync(descriptor);
    let at = 0;
    while (at < size) {
      const bytes = readSync(descriptor, buffer, 0, Math.min(CHUNK_BYTES, size - at), at);
      if (bytes === 0) break;
      splitter.push(buffer.subarray(0, bytes), take);
      at += bytes;
      onRead(bytes);
    }
    return { bytes: at, rest: splitter.rest() };
  } finally {
    closeSync(descriptor);
  }
}

import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { openConfinedSync } from "./confined-file";

const CHUNK_BYTES = 1 << 20;

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Reads a log up to the size that it had when it was opened: lines appended meanwhile belong to the next report.
 * Returns the bytes read, and the last line where no newline ends it. Throws what `openConfined` throws.
 */
export function readLog(
  root: string,
  path: string,
  take: (line: RawLine) => void,
  onRead: (bytes: number) => void,
): { bytes: number; rest: RawLine | null } {
  const file = openConfinedSync(root, path);
  try {
    const splitter = new LineSplitter();
    const { size } = file.stat();
    let at = 0;
    while (at < size) {
      const bytes = file.read(buffer, 0, Math.min(CHUNK_BYTES, size - at), at);
      if (bytes === 0) break;
      splitter.push(buffer.subarray(0, bytes), take);
      at += bytes;
      onRead(bytes);
    }
    return { bytes: at, rest: splitter.rest() };
  } finally {
    file.close();
  }
}

import { closeSync, fstatSync, readSync } from "node:fs";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";

/** A line of a log that may hold what is sought. `bytes` is a view: copy to keep. */
export type CandidateLine = { bytes: Uint8Array; offset: number };

export type CandidateStep = { lines: CandidateLine[]; bytesRead: number };

const WINDOW_BYTES = 1 << 19;
const NEWLINE = 0x0a;

let buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);

/**
 * Reads a log window by window and yields the whole lines in which the pattern finds something, or every
 * one where there is no pattern. A window starts at a line's start and a find never spans two lines, so
 * none is missed; a line longer than the window makes the window grow. A half line at the end is left out, a record that
 * only lacks its newline is not.
 * Throws what `openConfinedSync` throws.
 */
export function* scanCandidates(
  root: string,
  path: string,
  pattern: RegExp | null,
): Generator<CandidateStep> {
  const descriptor = openConfinedSync(root, path);
  try {
    const { size } = fstatSync(descriptor);
    for (let at = 0; at < size; ) {
      const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - at), at);
      if (read === 0) return;
      let end = buffer.subarray(0, read).lastIndexOf(NEWLINE);
      if (end === -1 && at + read >= size) {
        const rest = buffer.subarray(0, read);
        if (!beginsWithRecord({ bytes: rest, offset: at, length: read, line: 0 })) return;
        // Its newline, which the file does not have yet, so that it is a line like any other.
        if (read === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(1)]);
        buffer[read] = NEWLINE;
        end = read;
      }
      if (end === -1) {
        buffer = Buffer.allocUnsafeSlow(buffer.length * 2);
        continue;
      }
      yield { lines: candidates(buffer.subarray(0, end + 1), at, pattern), bytesRead: end + 1 };
      at += end + 1;
    }
  } finally {
    closeSync(descriptor);
    if (buffer.length > WINDOW_BYTES) buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  }
}

function candidates(window: Buffer, offset: number, pattern: RegExp | null): CandidateLine[] {
  const lines: CandidateLine[] = [];
  if (pattern === null) {
    for (let from = 0; from < window.length; ) {
      const to = window.indexOf(NEWLINE, from);
      lines.push({ bytes: window.subarray(from, to), offset: offset + from });
      from = to + 1;
    }
    return lines;
  }
  const text = window.toString("latin1");
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = text.lastIndexOf("\n", found.index) + 1;
    const to = text.indexOf("\n", found.index);
    lines.push({ bytes: window.subarray(from, to), offset: offset + from });
    pattern.lastIndex = to + 1;
  }
  return lines;
}

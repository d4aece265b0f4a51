import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";

/** A line of a log that may match. `bytes` is a view: copy to keep. */
export type CandidateLine = { bytes: Uint8Array; offset: number };

type CandidateStep = { lines: CandidateLine[]; bytesRead: number };

const WINDOW_BYTES = 1 << 19;
const NEWLINE = 0x0a;

let buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);

/**
 * Reads a log window by window and yields the complete lines in which the pattern matches, or all lines
 * without a pattern. A window starts at a line's start and a match never spans two lines, so
 * none is missed; a line longer than the window makes the window grow. An incomplete line at the end is left out,
 * a record that only lacks its newline is not.
 * Throws what `openConfinedSync` throws.
 */
export function* scanCandidates(
  root: string,
  path: string,
  pattern: RegExp | null,
): Generator<CandidateStep> {
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    for (let at = 0; at < size; ) {
      const read = file.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (read === 0) return;
      let end = buffer.subarray(0, read).lastIndexOf(NEWLINE);
      if (end === -1 && at + read >= size) {
        const rest = buffer.subarray(0, read);
        if (!beginsWithRecord({ bytes: rest, offset: at, length: read, line: 0 })) return;
        // Append the newline that the file does not have yet, so that it is a line like any other.
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
    file.close();
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

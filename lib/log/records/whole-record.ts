import { closingQuote } from "./elide";
import { CLOSE, OPEN, QUOTE, SPACE } from "./json-bytes";
import type { RawLine } from "./line-splitter";
import { parseRecord } from "./parse-record";

/** String contents are not needed here. */
const KEEP_BYTES = 64;

/**
 * Whether a last line without a newline is nevertheless a record, or starts with one. A record that is still being
 * written never does: its object is not closed. It scans only the first object, so checking a long partial line
 * repeatedly stays cheap.
 */
export function beginsWithRecord(line: RawLine): boolean {
  const { bytes } = line;
  const start = firstByte(bytes);
  const end = bytes[start] === OPEN ? objectEnd(bytes, start) : -1;
  if (end === -1) return false;
  const object = { ...line, bytes: bytes.subarray(start, end), length: end - start };
  return parseRecord(object, { keepBytes: KEEP_BYTES }).kind !== "unreadable";
}

/** Skips white space, NUL bytes and a byte order mark. */
function firstByte(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at += 1;
  return at;
}

/** Just past the brace that closes the object at `start`, or -1. */
function objectEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1);
      if (at === -1) return -1;
    } else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

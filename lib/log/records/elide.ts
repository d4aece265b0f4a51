import { BACKSLASH, QUOTE, UNICODE_ESCAPE } from "./json-bytes";

const NEWLINE_ESCAPE = 0x6e;
const decoder = new TextDecoder();

/** How long a text is: its bytes in UTF-8, and its lines. */
export type TextSize = { bytes: number; lines: number };

/** For a string that was cut, also its length in UTF-16 units, and the part that was kept, as it is written in JSON. */
export type CutSize = TextSize & { units: number; kept: string };

/** A line's text; `cut` is true when any of its strings was shortened, `longest` is the size of the longest of those. */
export type Elided = { text: string; cut: boolean; longest: CutSize | null };

export type ElideOptions = {
  /** Measures the longest string that is cut. */
  measures?: boolean;
  /** At least this many UTF-16 units of a string are kept, however many bytes they take. */
  keepUnits?: number;
};

/**
 * Returns the line as JSON text with every string body longer than `keep` bytes cut to a prefix, so that
 * `JSON.parse` costs what is kept, not what is on disk. A cut never falls inside an escape or a UTF-8
 * sequence. A line whose strings don't close is returned whole, for the parser to reject.
 *
 * Long strings are most of a log's bytes (tool output, file contents), and finding a quote with the
 * engine's own `indexOf` is several times faster than parsing them.
 */
export function elideLine(
  line: Uint8Array,
  keep: number,
  { measures = false, keepUnits = 0 }: ElideOptions = {},
): Elided {
  const parts: string[] = [];
  let copied = 0;
  let longest = { from: 0, cut: 0, to: 0 };
  let at = line.indexOf(QUOTE);
  while (at !== -1) {
    const close = closingQuote(line, at + 1);
    if (close === -1) return whole(line);
    const from = at + 1;
    const wanted = close - from > keep ? endOfUnits(line, from, from + keep, close, keepUnits) : close;
    if (wanted < close) {
      const cut = safeCut(line, from, wanted);
      parts.push(decoder.decode(line.subarray(copied, cut)));
      copied = close;
      if (close - from > longest.to - longest.from) longest = { from, cut, to: close };
    }
    at = line.indexOf(QUOTE, close + 1);
  }
  if (copied === 0) return whole(line);
  parts.push(decoder.decode(line.subarray(copied)));
  return {
    text: parts.join(""),
    cut: true,
    longest: measures ? sizeOfCut(line, longest) : null,
  };
}

/** The first position from `least` on with this many UTF-16 units before it; `close` where there is none. */
function endOfUnits(line: Uint8Array, from: number, least: number, close: number, units: number): number {
  if (units === 0) return least;
  let left = units;
  let at = from;
  while (at < close && (left > 0 || at < least)) {
    const byte = line[at] as number;
    if (byte === BACKSLASH) at += line[at + 1] === UNICODE_ESCAPE ? 6 : 2;
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    left -= byte < 0xf0 ? 1 : 2;
  }
  return Math.min(at, close);
}

function whole(line: Uint8Array): Elided {
  return { text: decoder.decode(line), cut: false, longest: null };
}

function sizeOfCut(line: Uint8Array, { from, cut, to }: { from: number; cut: number; to: number }): CutSize {
  const body = line.subarray(from, to);
  const size = sizeOf(body);
  const escaped = body.length - size.bytes;
  const units = decoder.decode(body).length - escaped;
  return { ...size, units, kept: decoder.decode(line.subarray(from, cut)) };
}

/** The size of the text in a JSON string's body. A newline at its end begins no further line. */
function sizeOf(body: Uint8Array): TextSize {
  let bytes = body.length;
  let newlines = 0;
  let last = -1;
  for (let at = body.indexOf(BACKSLASH); at !== -1; at = body.indexOf(BACKSLASH, at)) {
    const escaped = body[at + 1];
    if (escaped === NEWLINE_ESCAPE) {
      newlines += 1;
      last = at;
    }
    // `\u001b`, as terminal codes are written, is one byte. Other such escapes are rare, and counted slightly wrong.
    bytes -= escaped === UNICODE_ESCAPE ? 5 : 1;
    at += escaped === UNICODE_ESCAPE ? 6 : 2;
  }
  return { bytes, lines: newlines + (last === body.length - 2 ? 0 : 1) };
}

/** The quote that closes a string whose body begins at `from`, -1 where it does not close. */
export function closingQuote(line: Uint8Array, from: number): number {
  for (let at = line.indexOf(QUOTE, from); at !== -1; at = line.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (line[at - 1 - backslashes] === BACKSLASH && at - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** The last position ≤ `wanted` that starts neither inside an escape, a surrogate pair of escapes, nor a UTF-8 sequence. */
function safeCut(line: Uint8Array, from: number, wanted: number): number {
  // An escape is at most 6 bytes (\uXXXX), a pair of them 12; walk the escapes from a little before.
  let at = wanted;
  const escape = escapeAround(line, from, at);
  if (escape !== -1) at = escape;
  while (at > from && ((line[at] as number) & 0xc0) === 0x80) at -= 1;
  return isHighSurrogateEscape(line, at - 6, from) ? at - 6 : at;
}

/** Start of the escape that `at` falls into, or -1. */
function escapeAround(line: Uint8Array, from: number, at: number): number {
  for (let back = 1; back <= 5 && at - back >= from; back++) {
    const start = at - back;
    if (line[start] !== BACKSLASH) continue;
    let run = 1;
    while (start - run >= from && line[start - run] === BACKSLASH) run += 1;
    if (run % 2 === 0) return -1; // the last of a run of escaped backslashes
    const length = line[start + 1] === UNICODE_ESCAPE ? 6 : 2;
    return start + length > at ? start : -1;
  }
  return -1;
}

function isHighSurrogateEscape(line: Uint8Array, start: number, from: number): boolean {
  if (start < from || line[start] !== BACKSLASH || line[start + 1] !== UNICODE_ESCAPE) return false;
  const lead = (line[start + 2] as number) | 0x20;
  const second = (line[start + 3] as number) | 0x20;
  return lead === 0x64 && (second === 0x38 || second === 0x39 || second === 0x61 || second === 0x62);
}

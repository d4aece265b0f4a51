import { asObject, asString, type JsonObject } from "./json";

/** A stretch of a bad line: a record that could be saved, or bytes that could not. Offsets are within the line. */
export type Salvaged = { from: number; to: number; json: JsonObject | null; reason: string };

const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder();

/** Starts tried in one line. A line of many megabytes of braces must not cost its square. */
const MOST_STARTS = 256;
/** Bytes walked over all starts, as a multiple of the line's length. */
const MOST_WALKS = 8;

/**
 * Takes a line apart that is not JSON as a whole. Two writers on one file and cut-off writes leave
 * three shapes in real logs: two whole records side by side (`}{`), the head of a record with the
 * next one behind it, and runs of NUL bytes. Every record that starts later on the line is found;
 * what lies between is returned as bytes without a record. Returns `[]` if there is none to save.
 */
export function salvage(line: Uint8Array): Salvaged[] {
  const found: Salvaged[] = [];
  let done = 0;
  let budget = line.length * MOST_WALKS;
  let starts = 0;
  for (let start = nextStart(line, 0); start !== -1 && starts < MOST_STARTS && budget > 0; starts++) {
    const end = objectEnd(line, start);
    budget -= (end === -1 ? line.length : end) - start;
    const json = end === -1 ? null : parseObject(line, start, end);
    if (json === null) {
      start = nextStart(line, start + 1);
      continue;
    }
    if (start > done) found.push(lost(line, done, start));
    found.push({ from: start, to: end, json, reason: "" });
    done = end;
    start = nextStart(line, end);
  }
  if (done === 0) return [];
  if (!isBlank(line, done, line.length)) found.push(lost(line, done, line.length));
  return found.filter((part) => part.json !== null || !isBlank(line, part.from, part.to));
}

/** The next `{"`: how every writer starts a record. Inside a string the quote would be escaped. */
function nextStart(line: Uint8Array, from: number): number {
  let at = line.indexOf(OPEN, from);
  while (at !== -1 && line[at + 1] !== QUOTE) at = line.indexOf(OPEN, at + 1);
  return at;
}

/** Just past the brace that closes the object at `start`, or -1. */
function objectEnd(line: Uint8Array, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < line.length; at++) {
    const byte = line[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

/** A record has a type or a uuid; the objects nested in a cut-off one (`{"role":…}`) have neither and are not saved. */
function parseObject(line: Uint8Array, from: number, to: number): JsonObject | null {
  try {
    const json = asObject(JSON.parse(decoder.decode(line.subarray(from, to))));
    const isRecord = asString(json?.uuid) !== null || RECORD_STARTS.test(asString(json?.type) ?? "");
    return isRecord && !(json && ("role" in json || "text" in json || "tool_use_id" in json)) ? json : null;
  } catch {
    return null;
  }
}

/** Types of blocks (`text`, `tool_use`) are not types of records. */
const RECORD_STARTS =
  /^(?!text$|thinking$|redacted_thinking$|tool_use$|tool_result$|image$|document$|base64$)[a-z][a-z0-9_-]*$/;

function lost(line: Uint8Array, from: number, to: number): Salvaged {
  const nul = line.subarray(from, to).every((byte) => byte === 0);
  const reason = nul ? `${to - from} NUL bytes` : `${to - from} bytes of a record that was cut off`;
  return { from, to, json: null, reason };
}

function isBlank(line: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++)
    if (line[at] !== 0x20 && line[at] !== 0x0d && line[at] !== 0x09) return false;
  return true;
}

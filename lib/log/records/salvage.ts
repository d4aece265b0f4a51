import { asObject, asString, type JsonObject } from "./json";
import { BACKSLASH, OPEN, QUOTE, SPACE } from "./json-bytes";
import { ObjectReader } from "./object-reader";

/** A stretch of a damaged line: a record that was recovered, or bytes that were not. Offsets are within the line. */
export type Salvaged = { from: number; to: number; json: JsonObject | null; reason: string };

const decoder = new TextDecoder();

/**
 * Takes apart a line that is not JSON as a whole. Two writers on one file and interrupted writes leave
 * three shapes in real logs: two whole records side by side (`}{`), the head of a record followed by the
 * next one, and runs of NUL bytes. A lone CR between records counts as white space: a file with such line
 * ends is one line of whole records. Every record that starts later on the line is found; what lies between
 * is returned as bytes without a record. Returns `[]` if nothing can be recovered.
 */
export function salvage(line: Uint8Array): Salvaged[] {
  const found: Salvaged[] = [];
  let done = startsWithMark(line) ? 3 : 0;
  const lose = (to: number) => {
    if (!isBlank(line, done, to)) found.push(lost(line, done, to));
  };
  for (const { from, to } of findRecords(line).records) {
    const json = from < done ? null : parseObject(line, from, to);
    if (json === null) continue;
    lose(from);
    found.push({ from, to, json, reason: "" });
    done = to;
  }
  if (found.length === 0) return [];
  lose(line.length);
  return found;
}

/**
 * Finds the objects of a line that look like whole records, by start offset, in time and memory proportional to
 * the line, however many there are and however deep they nest. `steps`: bytes examined, at most twice those of
 * the line.
 *
 * After a record that was cut off inside a string, quotes seem to open where they close. So at most two readers
 * are active: wherever one is inside a string, the other is not. A reader starts at a `{"` that no other reader
 * takes for an object, and stops where its object ends or at the first byte that JSON does not allow there:
 * nothing that was open at that byte can be whole, so none of it is examined again.
 */
export function findRecords(line: Uint8Array): { records: { from: number; to: number }[]; steps: number } {
  const records: { from: number; to: number }[] = [];
  let readers: ObjectReader[] = [];
  let steps = 0;
  for (let at = line.indexOf(OPEN); at !== -1 && at < line.length; at++) {
    const byte = line[at] as number;
    for (const reader of readers) reader.step(byte, at);
    steps += readers.length;
    if (readers.some(({ isDone }) => isDone)) {
      for (const { isDone, found } of readers) if (isDone && found) records.push(found);
      readers = readers.filter(({ isDone }) => !isDone);
    }
    if (byte === OPEN && line[at + 1] === QUOTE && readers.every(({ isInString }) => isInString))
      readers.push(new ObjectReader(line, at));
    if (readers.length === 0) {
      const next = line.indexOf(OPEN, at + 1);
      if (next === -1) break;
      at = next - 1;
    } else if (readers.length === 1 && readers[0]?.isInText) {
      const from = at;
      while (isPlain(line[at + 1])) at += 1;
      steps += at - from;
    }
  }
  for (const { found } of readers) if (found) records.push(found);
  return { records: records.sort((a, b) => a.from - b.from), steps };
}

/** A byte that does not change the state inside a string. */
function isPlain(byte: number | undefined): boolean {
  return byte !== undefined && byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH && byte !== OPEN;
}

/** The object, if it has a type or a uuid, as every record has. (Duplicate keys may have made it look as if it had one.) */
function parseObject(line: Uint8Array, from: number, to: number): JsonObject | null {
  try {
    const json = asObject(JSON.parse(decoder.decode(line.subarray(from, to))));
    return asString(json?.uuid) === null && asString(json?.type) === null ? null : json;
  } catch {
    return null;
  }
}

function lost(line: Uint8Array, from: number, to: number): Salvaged {
  const nul = line.subarray(from, to).every((byte) => byte === 0);
  const reason = nul ? `${to - from} NUL bytes` : `${to - from} bytes of a record that was cut off`;
  return { from, to, json: null, reason };
}

function isBlank(line: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++)
    if (line[at] !== SPACE && line[at] !== 0x0d && line[at] !== 0x09) return false;
  return true;
}

/** A byte order mark. */
function startsWithMark(line: Uint8Array): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

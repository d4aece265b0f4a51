import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";

/**
 * Texts of our own that may be megabytes long, never as one block of the system's allocator: on Linux the longest block
 * that was freed says how much of what is freed later each thread keeps, which is twice that. Of a file of 5 MB the
 * checksum alone took 15 MB at once, and after it each of five threads kept up to 30 MB that nobody used.
 */
const PART = 32 * 1024;

/** A text in parts, for a file that is written part by part. None ends within a pair of surrogates. */
export function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isHalf = isHighSurrogate(text.charCodeAt(from + PART - 1));
    const end = from + PART - (isHalf ? 1 : 0);
    yield text.slice(from, end);
    from = end;
  }
}

/** The CRC-32 of a text in UTF-8. */
export function checksumOf(text: string): number {
  let sum = 0;
  for (const part of partsOf(text)) sum = crc32(part, sum);
  return sum;
}

/** The text of a file in UTF-8. Rejects with the system's errors. */
export async function readLongText(path: string): Promise<string> {
  let text = "";
  for await (const part of createReadStream(/*turbopackIgnore: true*/ path, "utf8")) text += part;
  return text;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

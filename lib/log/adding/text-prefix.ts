import { BACKSLASH, QUOTE, SPACE } from "@/lib/log/records/json-bytes";

/** Strings of long lines are cut to this many bytes of their JSON before parsing; those of short lines are whole. */
export const KEPT_BYTES = 512;

/** Less than `KEPT_BYTES` by what trimming removes and by an escape that is not cut in two. */
const SHARED_BYTES = 400;

const ASCII = 0x80;
const ESCAPE_BYTES = 2;
/** As in `\u2028`; written as UTF-8 it takes fewer. */
const UNICODE_ESCAPE_BYTES = 6;

/**
 * The beginning of a text that is kept on every line that repeats it, however long that line is: a queued prompt is
 * logged in a short line, and again in a long one together with the text for the model. Two texts are taken to be
 * equal if their prefixes are.
 */
export function textPrefix(text: string): string {
  const words = text.trim();
  let bytes = 0;
  let end = 0;
  while (end < words.length) {
    bytes += jsonBytes(words.charCodeAt(end));
    if (bytes > SHARED_BYTES) break;
    end += 1;
  }
  return words.slice(0, end).trim();
}

/** Whether a text of a line that was read shortened may lack its end. */
export function mayBeCut(text: string | null): boolean {
  return text !== null && textPrefix(text).length < text.length;
}

/** The maximum number of bytes of a character in JSON. */
function jsonBytes(code: number): number {
  if (code >= ASCII) return UNICODE_ESCAPE_BYTES;
  if (code === QUOTE || code === BACKSLASH) return ESCAPE_BYTES;
  return code < SPACE ? UNICODE_ESCAPE_BYTES : 1;
}

/**
 * A non-negative hash that is equal for equal texts: enough to detect that an answer repeats its parent's text
 * without keeping either.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
}

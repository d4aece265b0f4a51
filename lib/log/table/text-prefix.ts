/** The strings of a long line are cut to so many bytes of their JSON before it is parsed; those of a short one are whole. */
export const KEPT_BYTES = 512;

/** Less than that by what is trimmed and by an escape that is not cut in two. */
const SHARED_BYTES = 400;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ASCII = 0x80;
const ESCAPE_BYTES = 2;
/** As `\u2028`; written as UTF-8 it is fewer. */
const UNICODE_ESCAPE_BYTES = 6;

/**
 * The beginning of a text that every line which repeats it keeps, however long that line is: what is queued stands in
 * a short line and once more, with what the model was told, in a long one. Texts are the same if this is.
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

/** How long a character is in JSON, at the most. */
function jsonBytes(code: number): number {
  if (code >= ASCII) return UNICODE_ESCAPE_BYTES;
  if (code === QUOTE || code === BACKSLASH) return ESCAPE_BYTES;
  return code < SPACE ? UNICODE_ESCAPE_BYTES : 1;
}

import { pipeline } from "node:stream/promises";

/**
 * What a terminal would obey, or order the text by: C0 and C1 but for tab and line feed, and the controls of
 * writing direction.
 */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Prints text: as it is to a file or a program, and to a terminal with what it would obey made visible, since logs,
 * names of files and arguments may hold anything. All that the command line writes goes through here.
 *
 * @param {string} text
 * @param {NodeJS.WriteStream} [to]
 */
export function print(text, to = process.stdout) {
  to.write(to.isTTY ? toVisible(text) : text);
}

/** @param {string} text */
export const printError = (text) => print(text, process.stderr);

/**
 * Prints a stream to stdout as `print` does: to a file or a program byte for byte.
 *
 * @param {import("node:stream").Readable} body
 * @param {NodeJS.WriteStream} [to]
 */
export async function printStream(body, to = process.stdout) {
  if (!to.isTTY) return pipeline(body, to, { end: false });
  await pipeline(
    body,
    async function* (/** @type {AsyncIterable<Uint8Array>} */ chunks) {
      const decoder = new TextDecoder();
      for await (const chunk of chunks) yield toVisible(decoder.decode(chunk, { stream: true }));
      yield toVisible(decoder.decode());
    },
    to,
    { end: false },
  );
}

/**
 * Puts a line of our own in place of the one that stands at the end of a terminal; nothing elsewhere.
 *
 * @param {string} line "" to clear it
 */
export function replaceLine(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r${toVisible(line)}\x1b[K`);
}

/**
 * The text with what a terminal would obey as JSON escapes it: within JSON it means the same.
 *
 * @param {string} text
 */
function toVisible(text) {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

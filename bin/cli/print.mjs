import { pipeline } from "node:stream/promises";
import { format } from "node:util";

/**
 * Characters that control a terminal or reorder its text: C0 and C1 except tab and line feed, and Unicode direction
 * controls.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Prints text: unchanged to a file or pipe; to a terminal with control characters made visible, since logs, file names
 * and arguments may contain anything. All output of the command line goes through here.
 *
 * @param {string} text
 * @param {NodeJS.WriteStream} [to]
 */
export function print(text, to = process.stdout) {
  to.write(to.isTTY ? toVisible(text) : text);
}

/**
 * Whoever reads what is printed may leave (`| head`, a script that wanted the address, a terminal that was closed): what
 * is printed then is lost, and the program goes on. Unheard, the stream's error would be reported on that stream, which
 * fails again, and so on for ever. Other errors of stdout, such as a full disk below a file, still fail a command.
 */
export function outliveReaders() {
  let isTold = false;
  process.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ cause) => {
    // Each further piece fails as well.
    if (isReaderGone(cause) || cause.code === "EIO" || isTold) return;
    isTold = true;
    process.exitCode = 1;
    printError(`backscroll: what is printed cannot be written: ${cause.message}\n`);
  });
  process.stderr.on("error", () => undefined);
}

/**
 * Whether something was printed to a pipe whose reader has left; Windows calls that the end of a file.
 *
 * @param {unknown} cause
 */
export function isReaderGone(cause) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (cause ?? {});
  return code === "EPIPE" || code === "EOF";
}

/**
 * Ends the program when all that was printed has been taken: a pipe takes 64 KiB at once, and what its reader has not
 * come to yet would go with the program. Without a code it is the one that `outliveReaders` has set, else 0.
 *
 * @param {number} [code]
 * @returns {Promise<never>}
 */
export async function exitWhenPrinted(code) {
  // A stream reports its fault in the turn after the one in which it calls back.
  await new Promise((resolve) => process.stdout.write("", () => setImmediate(resolve)));
  process.exit(code ?? process.exitCode);
}

/** @param {string} text */
export const printError = (text) => print(text, process.stderr);

/**
 * Prints a stream to stdout as `print` does: byte for byte to a file or pipe.
 *
 * @param {import("node:stream").Readable} body
 * @param {NodeJS.WriteStream} [to]
 */
export async function printStream(body, to = process.stdout) {
  const shown = async function* (/** @type {AsyncIterable<Uint8Array>} */ chunks) {
    const decoder = new TextDecoder();
    for await (const chunk of chunks) yield toVisible(decoder.decode(chunk, { stream: true }));
    yield toVisible(decoder.decode());
  };
  try {
    if (to.isTTY) await pipeline(body, shown, to, { end: false });
    else await pipeline(body, to, { end: false });
  } catch (cause) {
    // What went wrong with stdout itself is told by `outliveReaders`; that of a file throws what the disk says.
    const { syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (cause !== to.errored && syscall !== "write") throw cause;
  }
}

/**
 * Replaces the last line on stderr with our own if stderr is a terminal, else does nothing. What is wider than the terminal
 * is cut: it would go on in the next line, which is not replaced any more.
 *
 * @param {string} line "" to clear it
 * @param {NodeJS.WriteStream} [to]
 */
export function replaceLine(line, to = process.stderr) {
  if (to.isTTY) to.write(`\r${toVisible(line).slice(0, lineWidth(to))}\x1b[K`);
}

/**
 * Columns that `replaceLine` has for a line: one less than the terminal, whose cursor stands behind it.
 *
 * @param {NodeJS.WriteStream} [to]
 */
export function lineWidth(to = process.stderr) {
  return Math.max(1, (to.columns || 80) - 1);
}

/**
 * A text of a log, such as a title or a path, as a part of one line: what would begin another one is made visible, in a file
 * and a pipe too. What somebody else's log says in a line of its own could be taken for ours, such as a command to be copied.
 *
 * @param {string} text
 */
export function inLine(text) {
  return text.replace(BREAKS, escaped);
}

const BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * Escapes control characters as JSON does, so that JSON keeps its meaning.
 *
 * @param {string} text
 */
function toVisible(text) {
  return text.replace(CONTROLS, escaped);
}

/** @param {string} character */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Reserves stdout for the ready line. What Next prints during startup (including a URL without the token) is dropped;
 * later messages go to stderr like all warnings and errors, through `print`, since an error may quote a log. Returns a
 * function to call once startup is over.
 */
export function quietConsole() {
  let started = false;
  for (const method of /** @type {const} */ (["log", "info", "debug"])) {
    console[method] = (...args) => {
      if (started) console.error(...args);
    };
  }
  for (const method of /** @type {const} */ (["warn", "error"]))
    console[method] = (...args) => printError(`${format(...args)}\n`);
  return () => {
    started = true;
  };
}

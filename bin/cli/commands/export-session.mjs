import { randomUUID } from "node:crypto";
import { chmodSync, createWriteStream, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { renameHeld } from "../../../lib/server/disk/rename-held.mjs";
import { undoneWhenInterrupted } from "../interrupted.mjs";
import { printError, printStream } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findSession } from "./find-session.mjs";

/**
 * `backscroll export SESSION…`: writes a session to a file or to stdout, several to a zip.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ sessions: string[], query: string, output: string | undefined, isZip: boolean }} options `sessions` are ids or starts of them, `query` says what of them and how
 * @throws {UsageError} if no session, or more than one, begins with `session`, or the file cannot be written
 */
export async function exportSession(server, { sessions, query, output, isZip }) {
  // The first one also waits for the logs to be listed.
  const id = await findSession(server, sessions[0] ?? "");
  const several = [id, ...sessions.slice(1)].map(encodeURIComponent).join(",");
  const response = await ask(
    server,
    isZip ? `export?sessions=${several}&${query}` : `sessions/${encodeURIComponent(id)}/export?${query}`,
  );
  const isClonesZip = !isZip && response.headers.get("content-type") === "application/zip";
  const body = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body));
  if (output === undefined) {
    if (process.stdout.isTTY && isClonesZip)
      throw new UsageError(
        "this session has agents, so its clone is a zip. Give a file with --output FILE.zip.",
      );
    if (process.stdout.isTTY && isZip)
      throw new UsageError("several sessions are a zip. Give a file with --to FILE.zip.");
    return printStream(body);
  }
  await writeExport(body, output, isZip ? "to" : "output");
  if (isClonesZip && !/\.zip$/i.test(output))
    printError(`backscroll: this session has agents, so ${output} is a zip of its log and theirs.\n`);
}

/**
 * Writes what the server answered to a file. Until it is whole, what was there before stays.
 *
 * @param {Readable} body
 * @param {string} output
 * @param {"to" | "output"} flag the one that named the file
 * @throws {UsageError} if it cannot be written, or the server broke off
 */
export async function writeExport(body, output, flag) {
  try {
    await writeWhole(body, output);
  } catch (cause) {
    const { code, message, syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    // The disk says what it was asked for.
    if (syscall === undefined)
      throw new UsageError(`the server broke off (${message}), so ${output} was not written. Try again.`);
    throw new UsageError(`cannot write ${output}: ${code}. Give another file with --${flag} FILE.`);
  }
}

/**
 * Writes a file that is there when it is whole: until then what was there before stays. A device or a pipe is written as
 * it is read.
 *
 * @param {Readable} body
 * @param {string} output
 */
async function writeWhole(body, output) {
  const before = statSync(output, { throwIfNoEntry: false });
  if (before && !before.isFile()) return pipeline(body, createWriteStream(output));
  // What a link leads to is written, not the link.
  const target = before ? realpathSync(output) : output;
  const draft = join(dirname(target), `.backscroll-${randomUUID()}.part`);
  const remove = () => rmSync(draft, { force: true });
  // Opened before anything can fail that removes it again.
  const fd = openSync(draft, "wx", 0o600);
  try {
    await undoneWhenInterrupted(remove, async () => {
      await pipeline(body, createWriteStream(draft, { fd }));
      if (before) chmodSync(draft, before.mode & 0o777);
      renameHeld(draft, target);
    });
  } catch (cause) {
    remove();
    throw cause;
  }
}

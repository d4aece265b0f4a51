import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printStream } from "../print.mjs";
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
  const body = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body));
  if (output === undefined) {
    if (process.stdout.isTTY && response.headers.get("content-type") === "application/zip")
      throw new UsageError(
        "this session has agents, so its clone is a zip. Give a file with --output FILE.zip.",
      );
    return printStream(body);
  }
  try {
    await pipeline(body, createWriteStream(output, { mode: 0o600 }));
  } catch (cause) {
    const { code, message, syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    // The disk says what it was asked for.
    if (syscall === undefined)
      throw new UsageError(`the server broke off (${message}), so ${output} is not whole. Try again.`);
    throw new UsageError(
      `cannot write ${output}: ${code}. Give another file with --${isZip ? "to" : "output"} FILE.`,
    );
  }
}

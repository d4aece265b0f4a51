import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printStream } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findSession } from "./find-session.mjs";

/**
 * `backscroll export SESSION`: writes a session to a file or to stdout.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ session: string, query: string, output: string | undefined }} options `session` is an id or the start of one, `query` says what of it and how
 * @throws {UsageError} if no session, or more than one, begins with `session`, or the file cannot be written
 */
export async function exportSession(server, { session, query, output }) {
  const id = await findSession(server, session);
  const response = await ask(server, `sessions/${encodeURIComponent(id)}/export?${query}`);
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
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new UsageError(`cannot write ${output}: ${code ?? message}. Give another file with --output FILE.`);
  }
}

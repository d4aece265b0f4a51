import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { printStream } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";

const POLL_MS = 50;

/**
 * `backscroll export SESSION`: writes a session to a file or to stdout.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ session: string, format: string, output: string | undefined }} options `session` is an id or the start of one
 * @throws {UsageError} if no session, or more than one, begins with `session`, or the file cannot be written
 */
export async function exportSession(server, { session, format, output }) {
  const id = await findSession(server, session);
  const response = await ask(server, `sessions/${encodeURIComponent(id)}/export?format=${format}`);
  const body = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body));
  if (output === undefined) return printStream(body);
  try {
    await pipeline(body, createWriteStream(output, { mode: 0o600 }));
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new UsageError(`cannot write ${output}: ${code ?? message}. Give another file with --output FILE.`);
  }
}

/**
 * @param {import("./ask.mjs").Server} server
 * @param {string} wanted
 */
async function findSession(server, wanted) {
  const found = [];
  await untilListed(server);
  for (let cursor = ""; ; ) {
    const { sessions, nextCursor } = await (await ask(server, `sessions?limit=1000${cursor}`)).json();
    for (const { id } of sessions) {
      if (id === wanted) return id;
      if (id.startsWith(wanted)) found.push(id);
    }
    if (nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why =
    only === undefined
      ? "no session's id begins with that"
      : `the ids of ${found.length} sessions begin with that`;
  throw new UsageError(`"${wanted}": ${why}. The id is in a session's address.`);
}

/** @param {import("./ask.mjs").Server} server a newly started one is still listing the logs */
async function untilListed(server) {
  for (;;) {
    const { indexing } = await (await ask(server, "health")).json();
    if (indexing.phase !== "listing") return;
    await pause(POLL_MS);
  }
}

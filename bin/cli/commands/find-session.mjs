import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";

const POLL_MS = 50;

/**
 * The id of the one session whose id begins with `wanted`.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {string} wanted
 * @returns {Promise<string>}
 * @throws {UsageError} if none does, or more than one
 */
export async function findSession(server, wanted) {
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

import { setTimeout as pause } from "node:timers/promises";
import { formatCount } from "../format.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";

const POLL_MS = 50;

/** What the library lists, and what its reader hid there. */
const LISTS = ["", "&q=is%3Ahidden"];

/**
 * The id of the one session whose id begins with `wanted`, hidden or not.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {string} wanted
 * @returns {Promise<string>}
 * @throws {UsageError} if none does, or more than one
 */
export async function findSession(server, wanted) {
  /** @type {Set<string>} */
  const found = new Set();
  await untilListed(server);
  for (const list of LISTS) {
    for (let cursor = ""; ; ) {
      const { sessions, nextCursor } = await (
        await ask(server, `sessions?limit=1000${list}${cursor}`)
      ).json();
      for (const { id } of sessions) {
        if (id === wanted) return id;
        if (id.startsWith(wanted)) found.add(id);
      }
      if (nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }
  const [only] = found;
  if (only !== undefined && found.size === 1) return only;
  const why =
    only === undefined
      ? "no session's id begins with that"
      : `the ids of ${formatCount(found.size)} sessions begin with that`;
  throw new UsageError(`"${wanted}": ${why}. backscroll sessions lists them.`);
}

/** @param {import("./ask.mjs").Server} server a newly started one is still listing the logs */
async function untilListed(server) {
  for (;;) {
    const { indexing } = await (await ask(server, "health")).json();
    if (indexing.phase !== "listing") return;
    await pause(POLL_MS);
  }
}

import { findSession } from "../commands/find-session.mjs";

/**
 * The page that a start shows: the library, or the session that `backscroll open` names, as soon as that is listed.
 *
 * @param {import("../commands/ask.mjs").Server} server
 * @param {import("../command-options/read-command.mjs").Command | null} command
 * @returns {Promise<string>} its path, with what the address asks of it
 * @throws {UsageError} if there is no such session, or more than one
 */
export async function openedPage(server, command) {
  if (command?.name !== "open") return "/";
  const id = await findSession(server, command.session);
  return `/sessions/${id}${command.at === null ? "" : `?at=${encodeURIComponent(command.at)}`}`;
}

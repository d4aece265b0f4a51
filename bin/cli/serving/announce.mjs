import { openBrowser } from "../open-browser.mjs";
import { print, printError } from "../print.mjs";
import { localUrl } from "../running-server.mjs";
import { isLoopback } from "./listeners.mjs";
import { openedPage } from "./opened-page.mjs";

/**
 * Says where the server is, or the session that was asked for, and opens a browser there unless that was declined.
 *
 * @param {import("../running-server.mjs").RunningServer} server
 * @param {import("../options.mjs").Options} options
 * @throws {UsageError} if there is no such session
 */
export async function announce(server, options) {
  const page = await openedPage(server, options.command);
  print(`Backscroll is ready at ${localUrl(server)}${page}#t=${server.token}\n`);
  if (options.open) await openBrowser(server, page, process.env);
}

/**
 * Says once, by the start that begins to keep, what is kept and where.
 *
 * @param {string} folder
 */
export function announceArchive(folder) {
  printError(
    `backscroll: what it reads is kept in ${folder}, compressed, so that sessions stay when the client removes its logs.\n` +
      "backscroll: the settings on the page and backscroll archive show how much; --no-archive keeps nothing.\n",
  );
}

/**
 * Says what others can read where a server listens beyond this machine.
 *
 * @param {string} host
 */
export function warnIfExposed(host) {
  if (isLoopback(host)) return;
  const reader = "whoever can read the network's traffic can read the token and the sessions";
  printError(`backscroll: listening on ${host} without encryption; ${reader}.\n`);
}

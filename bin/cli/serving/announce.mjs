import { openBrowser } from "../open-browser.mjs";
import { print, printError } from "../print.mjs";
import { localUrl } from "../running-server.mjs";
import { isLoopback } from "./listeners.mjs";

/**
 * Says where the server is, and opens a browser there unless that was declined.
 *
 * @param {import("../running-server.mjs").RunningServer} server
 * @param {import("../options.mjs").Options} options
 */
export async function announce(server, options) {
  print(`Backscroll is ready at ${localUrl(server)}/#t=${server.token}\n`);
  if (options.open) await openBrowser(server, process.env);
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

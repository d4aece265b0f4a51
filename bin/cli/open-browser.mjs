import { spawn } from "node:child_process";
import { ask } from "./commands/ask.mjs";
import { localUrl } from "./running-server.mjs";

/**
 * Opens a page of a server in the browser if there is one: at a terminal, outside CI, with a display. Other accounts of the
 * machine can read the arguments of a browser as long as it runs, so that the address has a ticket, good once, in place of
 * the token. Failures are silent, since the address with the token has been printed.
 *
 * @param {import("./commands/ask.mjs").Server} server
 * @param {string} page its path
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export async function openBrowser(server, page, env) {
  if (!process.stdout.isTTY || env.CI || browserCommand("", env) === null) return;
  const asked = { method: "POST", json: { path: "/api/token" } };
  const ticket = await ask(server, "tickets", asked)
    .then(async (answer) => (await answer.json()).ticket)
    .catch(() => null);
  const command = ticket === null ? null : browserCommand(`${localUrl(server)}${page}#ticket=${ticket}`, env);
  if (command === null) return;
  const [program, ...args] = command;
  // The folder for compiled code (compile-cache.mjs) is the server's alone.
  const { NODE_COMPILE_CACHE: _, ...rest } = env;
  try {
    spawn(program, args, { detached: true, stdio: "ignore", env: rest })
      .on("error", () => {})
      .unref();
  } catch (cause) {
    // Of a program that a policy forbids, Windows says something that Node does not take for a missing one.
    if (/** @type {NodeJS.ErrnoException} */ (cause).syscall === undefined) throw cause;
  }
}

/**
 * @param {string} url
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {[string, ...string[]] | null}
 */
function browserCommand(url, env) {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open", url] : null;
}

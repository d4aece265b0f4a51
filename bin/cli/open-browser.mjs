import { spawn } from "node:child_process";

/**
 * Opens a URL in the browser if there is one: at a terminal, outside CI, with a display. Failures are silent, since the
 * URL has been printed.
 *
 * @param {string} url
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function openBrowser(url, env) {
  const command = browserCommand(url, env);
  if (command === null || !process.stdout.isTTY || env.CI) return;
  const [program, ...args] = command;
  // The folder for compiled code (compile-cache.mjs) is the server's alone.
  const { NODE_COMPILE_CACHE: _, ...rest } = env;
  spawn(program, args, { detached: true, stdio: "ignore", env: rest })
    .on("error", () => {})
    .unref();
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

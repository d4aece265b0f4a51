import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds `bin/`: a clone's, or an installed package's. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Finds the built server. A package brings it; in a clone it is installed and built first where it is
 * missing or older than its sources. `BACKSCROLL_SERVER` names one to serve as it is, which tests do.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<string>} the path of the server's entry
 */
export async function locateServer(env) {
  if (env.BACKSCROLL_SERVER) return env.BACKSCROLL_SERVER;
  if (!existsSync(join(PACKAGE_ROOT, "app"))) return join(PACKAGE_ROOT, "dist", "server.js");
  const { prepareServer } = await import("../tasks/prepare-server.mjs");
  return prepareServer();
}

/**
 * What a built server was made from, or "" where that is not noted.
 *
 * @param {string} serverFile its entry
 * @returns {string}
 */
export function buildOf(serverFile) {
  try {
    return String(
      JSON.parse(readFileSync(join(dirname(serverFile), "backscroll-build.json"), "utf8")).sources,
    );
  } catch {
    return "";
  }
}

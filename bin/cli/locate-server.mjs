import { existsSync } from "node:fs";
import { join } from "node:path";
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

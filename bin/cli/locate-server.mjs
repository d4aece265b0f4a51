import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that contains `bin/`: that of a clone or of an installed package. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Finds the built server. A package contains it; a clone installs and builds it if it is missing or older than its
 * sources. `BACKSCROLL_SERVER` overrides it, for tests.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<string>} the path of the server's entry
 */
export async function locateServer(env) {
  if (env.BACKSCROLL_SERVER) return env.BACKSCROLL_SERVER;
  if (!existsSync(join(PACKAGE_ROOT, "app"))) return join(PACKAGE_ROOT, "dist", "server.js");
  const { prepareServer } = await import("../tasks/build.mjs");
  return prepareServer();
}

/**
 * What tells a built server from every other: the package's version and, in a clone, the fingerprint of its sources. A
 * package has none of these.
 *
 * @param {string} serverFile its entry
 * @param {string} version
 * @returns {string}
 */
export function buildOf(serverFile, version) {
  try {
    const { sources } = JSON.parse(readFileSync(join(dirname(serverFile), "backscroll-build.json"), "utf8"));
    return `${version} ${sources}`;
  } catch {
    return version;
  }
}

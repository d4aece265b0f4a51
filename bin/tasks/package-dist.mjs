import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STANDALONE } from "./build-server.mjs";
import { ROOT } from "./run.mjs";

/** Source maps and the build's fingerprint, which a package does not need. */
const LEFT_OUT = /\.map$|backscroll-build\.json$/;

/** Copies the built server to `dist/`, from where `npm pack` takes it. */
export function packageDist() {
  const dist = join(ROOT, "dist");
  rmSync(dist, { recursive: true, force: true });
  // npm silently drops symbolic links, so each is replaced by its target.
  cpSync(STANDALONE, dist, { recursive: true, dereference: true, filter: (path) => !LEFT_OUT.test(path) });
  forgetRoot(dist);
}

/**
 * Removes the path of the repository, which Next writes into its output for error messages.
 *
 * @param {string} dist
 */
function forgetRoot(dist) {
  const named = [ROOT, ROOT.replace(/[\\/]$/, "")].map((path) => JSON.stringify(path).slice(1, -1));
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|json)$/.test(entry.name) || file.includes("node_modules")) continue;
    const text = readFileSync(file, "utf8");
    const forgetful = named.reduce((rest, path) => rest.replaceAll(path, "/backscroll/"), text);
    if (forgetful !== text) writeFileSync(file, forgetful);
  }
}

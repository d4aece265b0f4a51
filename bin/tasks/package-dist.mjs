import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STANDALONE } from "./build-server.mjs";
import { ROOT } from "./run.mjs";

/** Source maps and the stamp of the build, which a package does not need. */
const LEFT_OUT = /\.map$|backscroll-build\.json$/;

/** Copies the built server to `dist/`, from where `npm pack` takes it. */
export function packageDist() {
  const dist = join(ROOT, "dist");
  rmSync(dist, { recursive: true, force: true });
  // npm drops symbolic links without a word, so each becomes what it points to.
  cpSync(STANDALONE, dist, { recursive: true, dereference: true, filter: (path) => !LEFT_OUT.test(path) });
  forgetRoot(dist);
}

/**
 * Next writes the path of the repository into what it builds, for its own messages.
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

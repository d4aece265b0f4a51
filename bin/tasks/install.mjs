import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run, step } from "./run.mjs";

/**
 * Installs the dependencies in the versions of the lock file, unless each is there already. `npm ci` would
 * refuse a lock file that was written where binaries for other platforms could not be had.
 */
export async function installMissing() {
  if (isInstalled()) return;
  // All are development dependencies, since the package carries its own; NODE_ENV may leave those out.
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  await step("install dependencies", () => run("npm", ["install", "--no-save", "--include=dev", ...quietly]));
}

function isInstalled() {
  const { dependencies, devDependencies } = readJson(join(ROOT, "package.json"));
  return Object.entries({ ...dependencies, ...devDependencies }).every(([name, version]) => {
    const manifest = join(ROOT, "node_modules", name, "package.json");
    return existsSync(manifest) && readJson(manifest).version === version;
  });
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

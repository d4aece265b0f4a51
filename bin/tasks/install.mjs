import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run, step } from "./run.mjs";

/** Installs the dependencies with `npm ci`, unless each is there in the very version that is pinned. */
export async function installMissing() {
  if (isInstalled()) return;
  // All are development dependencies, since the package carries its own; NODE_ENV may leave those out.
  await step("install dependencies", () =>
    run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]).then(() => ""),
  );
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

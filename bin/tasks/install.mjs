import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNeeded, formatPlatform, readLock, runsOn, thisPlatform } from "./lock-file.mjs";
import { ROOT, runNpm, StepFailure, step } from "./run.mjs";

/** What only those who change Backscroll need. Building and serving it works without. */
export const TOOLS = new Set([
  "@axe-core/playwright",
  "@biomejs/biome",
  "@playwright/test",
  "fast-check",
  "happy-dom",
  "knip",
  "oxlint",
  "oxlint-tsgolint",
  "tsx",
  "vitest",
]);

/** Where dependencies are installed without the tools, before they take the place of `node_modules`. */
const WITHOUT_TOOLS = join(ROOT, ".cache", "without-tools");

const QUIETLY = ["--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Installs the dependencies in the versions of the lock file, unless each is there already. `npm ci` empties
 * `node_modules`, so it never runs for nothing.
 *
 * @param {"serve" | "develop"} purpose to serve, the tools may be missing, and may ask for another Node
 * @throws {StepFailure} that names what is missing and what to do
 */
export async function installMissing(purpose) {
  if (findMissing(ROOT, purpose).length === 0) return;
  await step("install dependencies", purpose === "serve" ? installToServe : installAll);
  const missing = findMissing(ROOT, purpose);
  if (missing.length > 0) throw new StepFailure(describeMissing(missing, purpose), "");
}

/**
 * The packages that are not installed in the version of the lock file, by name: those that the purpose needs, and
 * of each that comes as a binary for every platform the binary for this one.
 *
 * @param {string} folder with package.json, package-lock.json and node_modules
 * @param {"serve" | "develop"} purpose
 * @param {import("./lock-file.mjs").Platform} platform
 * @returns {string[]}
 */
export function findMissing(folder, purpose, platform = thisPlatform()) {
  const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, "package.json"));
  const { packages } = readLock(folder);
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([name]) => purpose === "develop" || !TOOLS.has(name),
  );
  const unlocked = direct.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version);
  const roots = direct
    .map(([name]) => name)
    .filter(
      (name) => !optionalDependencies?.[name] || runsOn(packages[`node_modules/${name}`] ?? {}, platform),
    );
  const absent = findNeeded(packages, roots, platform)
    .filter((group) => !group.some((path) => installedVersion(folder, path) === packages[path]?.version))
    .map(([path = ""]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  return [...new Set([...unlocked.map(([name]) => name), ...absent])];
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {string | null}
 */
function installedVersion(folder, path) {
  const manifest = join(folder, path, "package.json");
  return existsSync(manifest) ? readJson(manifest).version : null;
}

// All but the driver of the database are development dependencies, since the package carries its own; NODE_ENV and
// the reader's own settings may leave those out, and the binaries with the optional ones.
const EVERYTHING = ["--include=dev", "--include=optional"];

async function installAll() {
  await runNpm(["ci", ...EVERYTHING, ...QUIETLY]);
}

/** Installs everything, or where that fails all but the tools. */
async function installToServe() {
  try {
    await runNpm(["ci", "--no-engine-strict", ...EVERYTHING, ...QUIETLY]);
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    try {
      await installWithoutTools();
    } catch {
      throw cause; // the first failure says more: it is of the files as they are
    }
    process.stderr.write("… installed without the tools for tests, which could not be had\n");
  }
}

/** Installs by a copy of package.json that names no tools, and puts the result in place. */
async function installWithoutTools() {
  const manifest = readJson(join(ROOT, "package.json"));
  const lock = readLock(ROOT);
  rmSync(WITHOUT_TOOLS, { recursive: true, force: true });
  mkdirSync(WITHOUT_TOOLS, { recursive: true });
  for (const one of [manifest, lock.packages[""]]) {
    for (const name of TOOLS) delete one?.devDependencies?.[name];
  }
  delete manifest.scripts;
  writeFileSync(join(WITHOUT_TOOLS, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(WITHOUT_TOOLS, "package-lock.json"), JSON.stringify(lock));
  await runNpm(["ci", "--no-engine-strict", ...EVERYTHING, ...QUIETLY], WITHOUT_TOOLS);
  rmSync(join(ROOT, "node_modules"), { recursive: true, force: true });
  renameSync(join(WITHOUT_TOOLS, "node_modules"), join(ROOT, "node_modules"));
  rmSync(WITHOUT_TOOLS, { recursive: true });
}

/**
 * @param {string[]} missing
 * @param {"serve" | "develop"} purpose
 * @param {import("./lock-file.mjs").Platform} platform
 */
export function describeMissing(missing, purpose, platform = thisPlatform()) {
  const here = formatPlatform(platform);
  const advice =
    purpose === "develop"
      ? "npm start does without the tools for tests; npm test needs all of them."
      : "Run npm pack on a machine that has them, and install that package here.";
  return `npm did not install what this needs on ${here}: ${missing.join(", ")}. Try again later, in case the registry does not have it yet. ${advice}`;
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

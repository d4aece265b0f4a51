import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renameHeld } from "../../lib/server/disk/rename-held.mjs";
import { alone } from "./alone.mjs";
import { findNeeded, formatPlatform, readLock, runsOn, thisPlatform } from "./lock-file.mjs";
import { ROOT, runNpm, StepFailure, step } from "./run.mjs";

/** Needed only to develop Backscroll. Building and serving works without them. */
export const TOOLS = new Set([
  "@axe-core/playwright",
  "@biomejs/biome",
  "@modelcontextprotocol/client",
  "@playwright/test",
  "@pydantic/genai-prices",
  "fast-check",
  "happy-dom",
  "knip",
  "oxlint",
  "oxlint-tsgolint",
  "tsx",
  "vitest",
]);

const QUIETLY = ["--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Installs the dependencies in the versions of the lock file, unless all are there already: `npm ci` empties
 * `node_modules`, so it only runs when needed.
 *
 * @param {"serve" | "develop"} purpose for serving, the tools may be missing, and may require another Node
 * @param {string} [folder] the repository unless given
 * @param {typeof runNpm} [npm]
 * @throws {StepFailure} that names what is missing and what to do
 */
export async function installMissing(purpose, folder = ROOT, npm = runNpm) {
  if (findMissing(folder, purpose).length === 0) return;
  await alone(folder, async () => {
    // Another may have done it in the meantime.
    if (findMissing(folder, purpose).length === 0) return;
    await step("install dependencies", () =>
      purpose === "serve" ? installToServe(folder, npm) : npm(["ci", ...EVERYTHING, ...QUIETLY], folder),
    );
  });
  const missing = findMissing(folder, purpose);
  if (missing.length > 0) throw new StepFailure(describeMissing(missing, purpose), "");
}

/**
 * Names of the packages that are not installed in the version of the lock file: all that the purpose needs, and for
 * each package with binaries per platform, the one for this platform.
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

// Everything but the database driver is a development dependency, since the package is published with a bundled server.
// NODE_ENV or the reader's npm settings may exclude those, or optional dependencies, and with them the binaries.
const EVERYTHING = ["--include=dev", "--include=optional"];

/**
 * Installs everything, or if that fails everything except the tools: from a copy of package.json without them in
 * another folder, whose node_modules is then moved here.
 *
 * @param {string} folder
 * @param {typeof runNpm} npm
 */
async function installToServe(folder, npm) {
  const args = ["ci", "--no-engine-strict", ...EVERYTHING, ...QUIETLY];
  try {
    return await npm(args, folder);
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    const apart = copyWithoutTools(folder);
    try {
      await npm(args, apart);
    } catch {
      throw cause; // this error is more useful: it is about the original files
    }
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    renameHeld(join(apart, "node_modules"), join(folder, "node_modules"));
    rmSync(apart, { recursive: true });
    process.stderr.write(
      `… without the tools for tests, of which npm could not install all:\n${cause.output.trimEnd()}\n`,
    );
  }
}

/**
 * The lock file is copied unchanged: npm installs from it only what package.json names, and npm 10 only if they differ.
 *
 * @param {string} folder
 * @returns {string} another with its package.json, without the tools, and its package-lock.json
 */
function copyWithoutTools(folder) {
  const apart = join(folder, ".cache", "without-tools");
  rmSync(apart, { recursive: true, force: true });
  mkdirSync(apart, { recursive: true });
  const manifest = readJson(join(folder, "package.json"));
  for (const name of TOOLS) delete manifest.devDependencies[name];
  writeFileSync(join(apart, "package.json"), JSON.stringify(manifest));
  copyFileSync(join(folder, "package-lock.json"), join(apart, "package-lock.json"));
  return apart;
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

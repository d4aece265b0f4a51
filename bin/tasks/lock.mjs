import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findUnlocked, platformInName, readLock } from "./lock-file.mjs";
import { asProgram, ROOT, runNpm, StepFailure, step } from "./run.mjs";

// `npm run lock`: updates package-lock.json for every platform after a change to the dependencies. npm omits packages
// for other platforms that its registry does not have and never adds them later, but `npm ci` rejects a lock file that
// lacks one. Such a package is locked without its hash, which a later run adds.
await asProgram(async () => {
  await refuseOldNpm();
  await step("lock what npm finds", relock);
  const added = await step("lock the other platforms", lockOtherPlatforms);
  if (added > 0) await step("lock what these need", relock);
  const { packages } = readLock(ROOT);
  const unlocked = findUnlocked(packages).map(({ name, wanted }) => `${name}@${wanted}`);
  if (unlocked.length > 0) throw new StepFailure(`still not locked: ${unlocked.join(", ")}`, "");
  const hashless = Object.entries(packages).filter(([path, entry]) => path !== "" && !entry.integrity).length;
  process.stdout.write(`${Object.keys(packages).length - 1} packages, ${hashless} of them without a hash\n`);
});

/** npm 10 drops the `libc` field from the file. */
async function refuseOldNpm() {
  const version = (await runNpm(["--version", "--loglevel=silent"])).trim().split("\n").at(-1) ?? "";
  if (Number.parseInt(version, 10) >= 11) return;
  throw new StepFailure(`npm ${version} writes lock files without "libc". Run npx npm@11 run lock.`, "");
}

function relock() {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return runNpm(["install", "--package-lock-only", ...quietly]);
}

/** Adds missing packages and missing hashes. Resolves to the number of changed entries. */
async function lockOtherPlatforms() {
  const lock = readLock(ROOT);
  const { packages } = lock;
  let changed = 0;
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "" || entry.integrity) continue;
    const found = await viewPackage(path.slice(path.lastIndexOf("node_modules/") + 13), entry.version);
    if (found === null) continue;
    packages[path] = found;
    changed += 1;
  }
  for (const { parent, name, wanted } of findUnlocked(packages)) {
    const entry = (await viewPackage(name, wanted)) ?? entryFromName(name, wanted);
    const top = `node_modules/${name}`;
    packages[packages[top] === undefined ? top : `${parent}/${top}`] = entry;
    changed += 1;
  }
  writeFileSync(join(ROOT, "package-lock.json"), `${JSON.stringify(lock, null, 2)}\n`);
  return changed;
}

/**
 * Asks the registry for a package. Resolves to `null` if the registry does not have it.
 *
 * @param {string} name
 * @param {string} wanted
 * @returns {Promise<import("./lock-file.mjs").LockedPackage | null>}
 */
async function viewPackage(name, wanted) {
  const fields = [
    "version",
    "os",
    "cpu",
    "libc",
    "engines",
    "license",
    "dependencies",
    "optionalDependencies",
  ];
  let answer;
  try {
    answer = JSON.parse(
      await runNpm(["view", `${name}@${wanted}`, "--json", "--loglevel=silent", ...fields, "dist.integrity"]),
    );
  } catch (cause) {
    if (cause instanceof StepFailure && cause.output.includes("E404")) return null;
    throw cause;
  }
  const { "dist.integrity": integrity, ...entry } = [answer].flat().at(-1);
  for (const key of ["os", "cpu", "libc"]) if (entry[key] !== undefined) entry[key] = [entry[key]].flat();
  // The manifest of a WebAssembly build names no platform: npm would install it on each.
  const isTied = entry.os !== undefined || entry.cpu !== undefined;
  return { ...entry, ...(!isTied && platformInName(name)), integrity, dev: true, optional: true };
}

/**
 * An entry for a package that the registry does not have: enough for npm to install it by name where it fits.
 *
 * @param {string} name
 * @param {string} wanted
 */
function entryFromName(name, wanted) {
  const platform = platformInName(name);
  if (platform === null || !/^\d+\.\d+\.\d+$/.test(wanted)) {
    throw new StepFailure(`the registry has no ${name}@${wanted}, and its name tells no platform`, "");
  }
  return { version: wanted, ...platform, dev: true, optional: true };
}

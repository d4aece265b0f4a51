import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findMissing } from "../install.mjs";
import { formatPlatform, readLock, runsOn } from "../lock-file.mjs";
import { ROOT, run, runNpm, StepFailure } from "../run.mjs";

const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * @typedef {import("../lock-file.mjs").Platform} Platform
 * @typedef {{ version: string, script: string }} Npm an npm by its major version, and the path of its script
 */

/**
 * Runs `npm ci` for each platform with each npm and prints a line about each: binaries installed, and those that the
 * registry does not have. Resolves to the number of failures: npm failed, left out an available binary, or installed
 * one for another platform.
 *
 * @param {string} scratch
 * @param {Platform[]} platforms
 * @param {Npm[]} npms
 */
export async function installEverywhere(scratch, platforms, npms) {
  const { packages } = readLock(ROOT);
  const folder = join(scratch, "install");
  let faults = 0;
  for (const platform of platforms) {
    for (const npm of npms) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      for (const name of ["package.json", "package-lock.json", ".npmrc"])
        copyFileSync(join(ROOT, name), join(folder, name));
      const fault = await npmFor(platform, npm, ["ci"], folder);
      const { present, absent, foreign } = sortBinaries(packages, folder, platform);
      /** @type {string[]} */
      const left = [];
      for (const name of absent) if (await canBeHad(name)) left.push(name);
      const failed = fault !== "" || left.length > 0 || foreign.length > 0;
      if (failed) faults += 1;
      report(failed, `npm ${npm.version} ci, ${formatPlatform(platform)}`, [
        fault,
        `${present.length} binaries`,
        listed("left out", left),
        listed("of another platform", foreign),
        listed(
          "not to be had here",
          absent.filter((name) => !left.includes(name)),
        ),
        listed("so it cannot be built there:", findMissing(folder, "serve", platform)),
      ]);
    }
  }
  return faults;
}

/**
 * Packs this repository and installs the package for each platform. Resolves to the number of failures: npm failed, the
 * database driver has no binary, or anything else depends on the platform.
 *
 * @param {string} scratch
 * @param {Platform[]} platforms
 * @param {Npm[]} npms
 */
export async function installPackageEverywhere(scratch, platforms, npms) {
  await runNpm(["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", scratch]);
  const tarball = readdirSync(scratch).find((name) => name.endsWith(".tgz")) ?? "";
  const folder = join(scratch, "package");
  let faults = 0;
  for (const platform of platforms) {
    for (const npm of npms) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writeFileSync(join(folder, "package.json"), "{}");
      const fault = await npmFor(platform, npm, ["install", join(scratch, tarball)], folder);
      const tied = findBinaries(join(folder, "node_modules", "backscroll"));
      const drivers = findBinaries(join(folder, "node_modules", "@photostructure", "sqlite")).filter(
        (file) =>
          file.includes(`${platform.os}-${platform.cpu}`) &&
          (platform.libc === null || file.includes(platform.libc)),
      );
      const failed = fault !== "" || tied.length > 0 || drivers.length === 0;
      if (failed) faults += 1;
      report(failed, `npm ${npm.version} install of the package, ${formatPlatform(platform)}`, [
        fault,
        listed("driver", drivers),
        listed("tied to a platform", tied),
      ]);
    }
  }
  return faults;
}

/**
 * Runs an npm as if on another platform. Resolves to "", or to the error.
 *
 * @param {Platform} platform
 * @param {Npm} npm
 * @param {string[]} args
 * @param {string} folder
 */
async function npmFor({ os, cpu, libc }, npm, args, folder) {
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === null ? [] : [`--libc=${libc}`])];
  try {
    await run(process.execPath, [npm.script, ...args, ...target, ...QUIETLY], {}, folder);
    return "";
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    return cause.output.trim().split("\n").slice(0, 4).join(" ");
  }
}

/**
 * Sorts the binary packages for one platform by outcome. A binary for the other C library does not count as foreign,
 * since npm 10 installs both.
 *
 * @param {import("../lock-file.mjs").LockedPackages} packages
 * @param {string} folder
 * @param {Platform} platform
 */
function sortBinaries(packages, folder, platform) {
  const anyLibc = (/** @type {import("../lock-file.mjs").LockedPackage} */ { os, cpu }) =>
    runsOn({ os, cpu }, platform);
  const binaries = Object.entries(packages).filter(
    ([, { os, cpu, optional }]) => optional && (os ?? cpu) !== undefined,
  );
  const isThere = (/** @type {string} */ path) => existsSync(join(folder, path, "package.json"));
  const named = (/** @type {[string, import("../lock-file.mjs").LockedPackage][]} */ entries) =>
    entries.map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`);
  return {
    present: named(binaries.filter(([path, one]) => runsOn(one, platform) && isThere(path))),
    absent: named(binaries.filter(([path, one]) => runsOn(one, platform) && !isThere(path))),
    foreign: named(binaries.filter(([path, one]) => !anyLibc(one) && isThere(path))),
  };
}

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();

/** @param {string} wanted name and version; resolves to whether the registry has it */
function canBeHad(wanted) {
  const answer =
    asked.get(wanted) ??
    runNpm(["view", wanted, "version", "--loglevel=silent"]).then(
      (version) => version.trim() !== "",
      () => false,
    );
  asked.set(wanted, answer);
  return answer;
}

/** @param {string} folder returns the compiled files below it, and the packages that npm selects by platform */
function findBinaries(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter(
      (name) => /\.(node|dll|so|dylib|wasm)$/.test(name) || /node_modules\/(@img\/[^/]+|sharp)$/.test(name),
    );
}

/**
 * @param {string} what
 * @param {string[]} names
 */
const listed = (what, names) => (names.length === 0 ? "" : `${what} ${names.join(" ")}`);

/**
 * @param {boolean} failed
 * @param {string} name
 * @param {string[]} details
 */
function report(failed, name, details) {
  process.stdout.write(`${failed ? "✗" : "✓"} ${name}: ${details.filter(Boolean).join("; ")}\n`);
}

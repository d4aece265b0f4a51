import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServer, isBuilt, packageDist } from "../build.mjs";
import { formatPlatform } from "../lock-file.mjs";
import { asProgram, run, runNpm, StepFailure, step } from "../run.mjs";
import { installEverywhere, installPackageEverywhere } from "./installs.mjs";
import { startOnNodes } from "./starts.mjs";

const NPMS = ["10", "11"];
const NODES = ["20.19", "22", "24", "26"];
const PARTS = ["installs", "package", "starts", "tests"];

/** @type {import("../lock-file.mjs").Platform[]} */
const PLATFORMS = [
  { os: "darwin", cpu: "arm64", libc: null },
  { os: "darwin", cpu: "x64", libc: null },
  { os: "win32", cpu: "x64", libc: null },
  { os: "win32", cpu: "arm64", libc: null },
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "linux", cpu: "x64", libc: "musl" },
  { os: "linux", cpu: "arm64", libc: "musl" },
];

// `npm run platforms [-- PART… PLATFORM…]`, which CI does not run, for it downloads several gigabytes:
// - installs: `npm ci` for each platform with each npm, in empty folders, and whether its binaries are there
// - package: the packed package installed for each platform
// - starts: `npm start` in a clone of the last commit with each Node, asked for a page, a session and what is kept
// - tests: the unit tests with each Node, of the sources as they are
await asProgram(async () => {
  const chosen = process.argv.slice(2);
  const known = [...PARTS, ...PLATFORMS.map(formatPlatform)];
  const unknown = chosen.find((one) => !known.includes(one));
  if (unknown !== undefined) throw new StepFailure(`"${unknown}" is none of ${known.join(", ")}`, "");
  const parts = PARTS.some((part) => chosen.includes(part)) ? chosen : PARTS;
  const some = PLATFORMS.filter((platform) => chosen.includes(formatPlatform(platform)));
  const platforms = some.length > 0 ? some : PLATFORMS;
  const scratch = mkdtempSync(join(tmpdir(), "backscroll-platforms-"));
  try {
    const npms = parts.some((part) => part === "installs" || part === "package")
      ? await installTools(scratch, "npm", NPMS)
      : [];
    const scripts = npms.map(([version, folder]) => ({
      version,
      script: join(folder, "npm", "bin", "npm-cli.js"),
    }));
    let faults = 0;
    if (parts.includes("installs")) faults += await installEverywhere(scratch, platforms, scripts);
    if (parts.includes("package")) {
      if (!isBuilt()) await step("build", buildServer);
      packageDist();
      faults += await installPackageEverywhere(scratch, platforms, scripts);
    }
    if (parts.includes("starts") || parts.includes("tests")) {
      const installed = await installTools(scratch, "node", NODES);
      const nodes = installed.map(([version, folder]) => ({ version, bin: join(folder, ".bin") }));
      if (parts.includes("starts")) faults += await startOnNodes(scratch, nodes);
      if (parts.includes("tests")) faults += await testOnNodes(nodes);
    }
    if (faults > 0) throw new StepFailure(`${faults} of these failed`, "");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/**
 * Runs the unit tests with each Node, and prints a line about each. Resolves to the number of failures.
 *
 * @param {import("./starts.mjs").InstalledNode[]} nodes
 * @returns {Promise<number>}
 */
async function testOnNodes(nodes) {
  let faults = 0;
  for (const { version, bin } of nodes) {
    const node = join(bin, process.platform === "win32" ? "node.exe" : "node");
    try {
      const output = await run(node, ["node_modules/vitest/vitest.mjs", "run", "--no-color"]);
      process.stdout.write(`✓ unit tests with Node ${version}: ${/Tests +(.+)/.exec(output)?.[1]}\n`);
    } catch (cause) {
      if (!(cause instanceof StepFailure)) throw cause;
      faults += 1;
      process.stdout.write(
        `✗ unit tests with Node ${version}: ${cause.message}\n${cause.output.trimEnd()}\n`,
      );
    }
  }
  return faults;
}

/**
 * Installs a package in several versions, each in a folder of its own.
 *
 * @param {string} scratch
 * @param {string} name
 * @param {string[]} versions
 * @returns {Promise<[version: string, modules: string][]>}
 */
async function installTools(scratch, name, versions) {
  /** @type {[string, string][]} */
  const installed = [];
  for (const version of versions) {
    const folder = mkdtempSync(join(scratch, `${name}-`));
    const quietly = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
    await runNpm(["install", "--prefix", folder, ...quietly, `${name}@${version}`], folder);
    installed.push([version, join(folder, "node_modules")]);
  }
  return installed;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServer, isBuilt, packageDist } from "./build.mjs";
import { formatPlatform } from "./lock-file.mjs";
import { installEverywhere, installPackageEverywhere } from "./platform-installs.mjs";
import { startOnNodes } from "./platform-starts.mjs";
import { asProgram, runNpm, StepFailure, step } from "./run.mjs";

const NPMS = ["10", "11"];
const NODES = ["20.19", "22", "24", "26"];
const PARTS = ["installs", "package", "starts"];

/** @type {import("./lock-file.mjs").Platform[]} */
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
// - starts: `npm start` in a clone of the last commit with each Node, asked for a page and a session
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
    const npms = parts.some((part) => part !== "starts") ? await installTools(scratch, "npm", NPMS) : [];
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
    if (parts.includes("starts")) {
      const nodes = await installTools(scratch, "node", NODES);
      faults += await startOnNodes(
        scratch,
        nodes.map(([version, folder]) => ({ version, bin: join(folder, ".bin") })),
      );
    }
    if (faults > 0) throw new StepFailure(`${faults} of these failed`, "");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

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

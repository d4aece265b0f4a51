import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run, runTool, StepFailure } from "./run.mjs";

/** Chromium without what draws windows: the tests run in two thirds of the time. */
const HEADLESS_SHELL = "chromium-headless-shell";
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/**
 * The browser for tests: `$CHROMIUM_PATH`, else the system's headless one, Playwright's, or any of the system's.
 * Returns its path, or `null` if there is none.
 */
export function findChromium() {
  /** @param {string[]} names */
  const onPath = (names) =>
    (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const applications = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    join(process.env.PROGRAMFILES ?? "C:\\Program Files", "Google\\Chrome\\Application\\chrome.exe"),
  ];
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...onPath([HEADLESS_SHELL]),
    chromium.executablePath(),
    ...onPath(NAMES),
    ...applications,
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Options for `chromium.launch` and Playwright's configuration. Chromium's sandbox does not work for root. */
export function launchOptions() {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error("No Chromium. Set CHROMIUM_PATH, or run npm test, which installs one.");
  return { executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}

/**
 * Makes sure that there is a Chromium. As root on Debian-like systems it installs the system's headless one, which is
 * much the fastest, unless `$CHROMIUM_PATH` names another; elsewhere Playwright's, if there is none. Resolves to its
 * path.
 *
 * @throws {StepFailure} when there is none and none can be installed
 */
export async function installChromium() {
  const found = findChromium();
  if (found !== null && (found === process.env.CHROMIUM_PATH || found.endsWith(HEADLESS_SHELL))) return found;
  const canUseApt =
    process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const ways = [
    ...(canUseApt ? [() => installWithApt(HEADLESS_SHELL)] : []),
    () => runTool("@playwright/test/cli.js", ["install", "chromium"]),
    ...(canUseApt ? [() => installWithApt("chromium")] : []),
  ];
  // Where any is there, only the fastest is worth an attempt.
  const outputs = [];
  for (const way of found === null ? ways : ways.slice(0, canUseApt ? 1 : 0)) {
    outputs.push(await outputOfFailure(way));
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  if (found !== null) return found;
  throw new StepFailure("no Chromium could be installed; set CHROMIUM_PATH", outputs.join("\n"));
}

/** @param {string} name of a package */
async function installWithApt(name) {
  // Without a lock timeout apt fails while another apt is running.
  const apt = [
    "-o",
    "DPkg::Lock::Timeout=600",
    "-o",
    "Acquire::Retries=1",
    "-o",
    "Acquire::http::Timeout=30",
  ];
  const install = () => run("apt-get", [...apt, "install", "-y", "--no-install-recommends", name]);
  try {
    await install();
  } catch {
    // The lists of packages are not there yet, or name one that has been replaced since.
    await run("apt-get", [...apt, "update"]);
    await install();
  }
}

/**
 * What a step printed that failed; empty where it did not.
 *
 * @param {() => Promise<unknown>} step
 */
async function outputOfFailure(step) {
  try {
    await step();
    return "";
  } catch (cause) {
    if (cause instanceof StepFailure) return `${cause.message}\n${cause.output}`;
    throw cause;
  }
}

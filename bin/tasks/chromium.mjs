import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run, runTool, StepFailure } from "./run.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/**
 * The browser for tests: `$CHROMIUM_PATH`, else Playwright's, else the system's. Returns its path, or `null` if there
 * is none.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function findChromium(env = process.env) {
  const onPath = (env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const applications = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    join(env.PROGRAMFILES ?? "C:\\Program Files", "Google\\Chrome\\Application\\chrome.exe"),
  ];
  const candidates = [env.CHROMIUM_PATH, chromium.executablePath(), ...onPath, ...applications];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Options for `chromium.launch` and Playwright's configuration. Chromium's sandbox does not work for root. */
export function launchOptions(env = process.env) {
  const executablePath = findChromium(env);
  if (executablePath === null)
    throw new Error("No Chromium. Set CHROMIUM_PATH, or run npm test, which installs one.");
  return { executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}

/**
 * Makes sure that there is a Chromium: installs Playwright's, or as root on Debian-like systems the system's package.
 * Resolves to its path.
 *
 * @throws {StepFailure} when neither can be installed
 */
export async function installChromium() {
  const found = findChromium();
  if (found !== null) return found;
  try {
    await runTool("@playwright/test/cli.js", ["install", "chromium"]);
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    if (process.platform !== "linux" || process.getuid?.() !== 0) throw cause;
    // Without a lock timeout apt fails while another apt is running.
    const apt = ["-o", "DPkg::Lock::Timeout=600"];
    await run("apt-get", [...apt, "update"]);
    await run("apt-get", [...apt, "install", "-y", "--no-install-recommends", "chromium"]);
  }
  const installed = findChromium();
  if (installed === null) throw new StepFailure("no Chromium could be installed; set CHROMIUM_PATH", "");
  return installed;
}

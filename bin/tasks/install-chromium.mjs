import { findChromium } from "./find-chromium.mjs";
import { run, runTool, StepFailure } from "./run.mjs";

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

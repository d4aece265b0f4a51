import { findChromium } from "./find-chromium.mjs";
import { run, runTool, StepFailure } from "./run.mjs";

/**
 * Sees to it that there is a Chromium: Playwright's download first, then, as root on Debian and its kin, the
 * system's package. Resolves to its path.
 *
 * @throws {StepFailure} when neither can be had
 */
export async function installChromium() {
  const found = findChromium();
  if (found !== null) return found;
  try {
    await runTool("@playwright/test/cli.js", ["install", "chromium"]);
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    if (process.platform !== "linux" || process.getuid?.() !== 0) throw cause;
    // Without the lock's timeout apt fails while another apt runs.
    const apt = ["-o", "DPkg::Lock::Timeout=600"];
    await run("apt-get", [...apt, "update"]);
    await run("apt-get", [...apt, "install", "-y", "--no-install-recommends", "chromium"]);
  }
  const installed = findChromium();
  if (installed === null) throw new StepFailure("no Chromium could be installed; set CHROMIUM_PATH", "");
  return installed;
}

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/** Where the test runners write their reports, relative to the repository; Playwright empties its own folder. */
export const VITEST_REPORT = ".cache/vitest.json";
const PLAYWRIGHT_REPORT = ".cache/playwright.json";

/** Removes the reports of an earlier run. */
export function forgetReports() {
  for (const report of [VITEST_REPORT, PLAYWRIGHT_REPORT]) rmSync(join(ROOT, report), { force: true });
}

/**
 * Adds up the reports. A run that was aborted counts the tests that it reached, and a browser test that passed on a
 * retry counts as passed: the run's output lists it as flaky.
 *
 * @returns {{ passed: number, failed: number }}
 */
export function countTests() {
  const unit = readReport(VITEST_REPORT);
  const browser = readReport(PLAYWRIGHT_REPORT)?.stats;
  return {
    passed: (unit?.numPassedTests ?? 0) + (browser?.expected ?? 0) + (browser?.flaky ?? 0),
    failed: (unit?.numFailedTests ?? 0) + (browser?.unexpected ?? 0),
  };
}

/** @param {string} report */
function readReport(report) {
  const file = join(ROOT, report);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

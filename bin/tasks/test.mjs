import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildServer } from "./build.mjs";
import { check, VITEST_REPORT } from "./check.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT, runTool, step } from "./run.mjs";

/** As playwright.config.ts names it, relative to the repository; Playwright empties its own folder. */
const PLAYWRIGHT_REPORT = ".cache/playwright.json";

// `npm test`: installs what the tests need, a browser included, and runs everything. The last line says how many tests
// passed and failed, for those who don't read exit codes.
forgetReports();
await asProgram(async () => {
  await installMissing("develop");
  // Imports Playwright, which may have only just been installed.
  const { installChromium } = await import("./chromium.mjs");
  await step("find a browser", installChromium);
  await check();
  await step("build", buildServer);
  await step("browser tests", () => runTool("@playwright/test/cli.js", ["test"]));
});
for (const title of retriedTests(readReport(PLAYWRIGHT_REPORT))) {
  process.stdout.write(`passed at a further attempt only: ${title}\n`);
}
const { passed, failed } = countTests();
const brokeOff = process.exitCode === 1 && failed === 0; // a failure outside the tests counts as one
process.stdout.write(`${passed} passed, ${brokeOff ? 1 : failed} failed\n`);

/** Removes the reports of an earlier run. */
function forgetReports() {
  for (const report of [VITEST_REPORT, PLAYWRIGHT_REPORT]) rmSync(join(ROOT, report), { force: true });
}

/**
 * Adds up the reports. A run that was aborted counts the tests that it reached, and a browser test that passed on a
 * retry counts as passed.
 *
 * @returns {{ passed: number, failed: number }}
 */
function countTests() {
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

/**
 * The browser tests that failed before they passed, `file:line title` each.
 *
 * @typedef {{ file: string, line: number, title: string, tests: { status: string }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 * @param {Suite | null} suite as Playwright's JSON reporter writes it
 * @returns {string[]}
 */
function retriedTests(suite) {
  if (suite === null) return [];
  const retried = (suite.specs ?? []).filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  const named = retried.map(({ file, line, title }) => `${file}:${line} ${title}`);
  return [...named, ...(suite.suites ?? []).flatMap(retriedTests)];
}

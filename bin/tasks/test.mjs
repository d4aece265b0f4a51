import { installMissing } from "./install.mjs";
import { asProgram, runTool, step } from "./run.mjs";
import { countTests, forgetReports } from "./test-counts.mjs";

// `npm test`: installs what the tests need, a browser included, and runs everything. The last line says how many tests
// passed and failed, for those who don't read exit codes.
forgetReports();
await asProgram(async () => {
  await installMissing("develop");
  // These import packages that have only just been installed.
  const { installChromium } = await import("./install-chromium.mjs");
  const { check } = await import("./check-steps.mjs");
  const { buildServer } = await import("./build-server.mjs");
  await step("find a browser", installChromium);
  await check();
  await step("build", buildServer);
  await step("browser tests", () => runTool("@playwright/test/cli.js", ["test"]));
});
const { passed, failed } = countTests();
const brokeOff = process.exitCode === 1 && failed === 0; // a failure outside the tests counts as one
process.stdout.write(`${passed} passed, ${brokeOff ? 1 : failed} failed\n`);

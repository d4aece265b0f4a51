import { installMissing } from "./install.mjs";
import { asProgram, runTool, step } from "./run.mjs";

// `npm test`: installs what the tests need, a browser included, and runs everything.
await asProgram(async () => {
  await installMissing();
  // These need what has just been installed.
  const { installChromium } = await import("./install-chromium.mjs");
  const { check } = await import("./check-steps.mjs");
  const { buildServer } = await import("./build-server.mjs");
  const { countTests, forgetReports } = await import("./test-counts.mjs");
  forgetReports();
  try {
    await step("find a browser", installChromium);
    await check();
    await step("build", buildServer);
    await step("browser tests", () => runTool("@playwright/test/cli.js", ["test"]));
  } finally {
    const { passed, failed } = countTests();
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
});

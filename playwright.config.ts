import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./bin/tasks/chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  fullyParallel: false,
  workers: 2,
  // A busy machine may miss a second's deadline; what needed a further attempt is listed as flaky.
  retries: 2,
  timeout: 60_000,
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    video: "off",
    trace: "off",
    launchOptions: launchOptions(),
  },
});

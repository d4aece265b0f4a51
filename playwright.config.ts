import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./bin/tasks/chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  fullyParallel: false,
  // One more than a small machine has cores: each waits now and then for a frame, a server's start or what is to be written.
  workers: 3,
  // What needed a further attempt is listed as flaky.
  retries: 2,
  // These end what hangs. How soon things are there the benches measure, on a quiet machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["json", { outputFile: ".cache/playwright.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Ends what hangs long before its test does, and says which step it was.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // All that moves is a ring beside what runs, and the colour of a button: each of its frames is drawn by the processor.
    contextOptions: { reducedMotion: "reduce" },
    video: "off",
    trace: "off",
    launchOptions: launchOptions(),
  },
});

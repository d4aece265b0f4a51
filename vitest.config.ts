import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Ends what hangs. No test measures time with it: on a busy machine each takes as long as it takes. */
const HANGING_MS = 300_000;

/**
 * These share their modules, and with them the recordings that were opened: most of their time otherwise. But for two
 * to which it matters what else their process holds.
 */
const SHARING = ["lib/server/session/scenarios/!(memory-budget|mutated-lines).test.ts"];

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
    expect: { poll: { timeout: HANGING_MS } },
    globalSetup: "lib/testing/share-recordings.ts",
    projects: [
      {
        extends: true,
        test: { name: "shared modules", isolate: false, include: SHARING },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ["{app,bench,bin,components,lib}/**/*.test.{ts,tsx}"],
          exclude: SHARING,
        },
      },
    ],
  },
});

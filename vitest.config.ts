import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Ends what hangs. No test measures time with it: on a busy machine each takes as long as it takes. */
const HANGING_MS = 600_000;

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{app,bench,bin,components,lib}/**/*.test.{ts,tsx}"],
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
    expect: { poll: { timeout: HANGING_MS } },
  },
});

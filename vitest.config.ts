import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Ends what hangs. No test measures time with it: on a busy machine each takes as long as it takes. */
const HANGING_MS = 300_000;

const ALL = ["{app,bench,bin,components,lib}/**/*.test.{ts,tsx}"];
/**
 * Tests to which it matters what else their process holds: they replace modules, globals or the environment, count
 * memory, or watch a whole server. All others share their modules, and the recordings that were opened: to load those
 * anew for each file took more than half of the time.
 */
const ISOLATED = [
  "app/**/*.test.{ts,tsx}",
  "bin/**/*.test.{ts,tsx}",
  "components/graph/draw-graph.test.ts",
  "components/session/files/version-walk.test.ts",
  "components/share/person-form.test.tsx",
  "components/shell/token-gate.test.tsx",
  "components/thread/store/followed-standing.test.ts",
  "lib/client/*.test.ts",
  "lib/server/{index,live}/**/*.test.ts",
  "lib/server/runtime/*.test.ts",
  "lib/server/session/scenarios/{memory-budget,mutated-lines}.test.ts",
];

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    // By itself it leaves one core idle, half of what a small machine has.
    maxWorkers: "100%",
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
    expect: { poll: { timeout: HANGING_MS } },
    globalSetup: "lib/testing/recorded.ts",
    projects: [
      {
        extends: true,
        test: { name: "shared modules", isolate: false, include: ALL, exclude: ISOLATED },
      },
      {
        extends: true,
        test: { name: "isolated", include: ISOLATED },
      },
    ],
  },
});

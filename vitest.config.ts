import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{app,bench,bin,components,lib}/**/*.test.{ts,tsx}"],
    testTimeout: 60_000,
  },
});

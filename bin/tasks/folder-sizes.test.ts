import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MAX_SOURCES = 25;

it("no folder has more sources than a reader takes in at once", () => {
  const counts = new Map<string, number>();
  for (const building of ["app", "bench", "bin", "components", "e2e", "lib"])
    for (const path of readdirSync(join(ROOT, building), { recursive: true, encoding: "utf8" })) {
      const file = `${building}/${path.replaceAll("\\", "/")}`;
      if (!/\.(?:tsx?|[mc]js)$/.test(file) || /\.(?:test|spec)\.tsx?$/.test(file)) continue;
      if (file.startsWith("lib/testing/fixtures/")) continue;
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([, count]) => count > MAX_SOURCES)).toEqual([]);
});

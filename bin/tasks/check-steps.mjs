import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runTool, step } from "./run.mjs";
import { VITEST_REPORT } from "./test-counts.mjs";

/** All that can be said about the sources without a browser. Throws at the first step that fails. */
export async function check() {
  await step("format", () => runTool("@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]).then(nothing));
  await step("lint and import rules", () => runTool("oxlint/bin/oxlint", ["--type-aware"]).then(nothing));
  if (!existsSync(join(ROOT, "next-env.d.ts"))) {
    await step("types of routes", () => runTool("next/dist/bin/next", ["typegen"]).then(nothing));
  }
  await step("types", () => runTool("typescript/bin/tsc", ["--noEmit"]).then(nothing));
  await step("unit tests", () =>
    runTool("vitest/vitest.mjs", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${VITEST_REPORT}`,
    ]).then(nothing),
  );
  await step("unused code", () => runTool("knip/bin/knip.js", []).then(nothing));
}

const nothing = () => {};

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runTool, step } from "./run.mjs";
import { VITEST_REPORT } from "./test-counts.mjs";

/** Every check of the sources that needs no browser. Throws at the first step that fails. */
export async function check() {
  await step("format", () => runTool("@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]));
  await step("lint and import rules", () => runTool("oxlint/bin/oxlint", ["--type-aware"]));
  if (!existsSync(join(ROOT, "next-env.d.ts"))) {
    await step("types of routes", () => runTool("next/dist/bin/next", ["typegen"]));
  }
  await step("types", () => runTool("typescript/bin/tsc", ["--noEmit"]));
  await step("types of the command line", () => runTool("typescript/bin/tsc", ["-p", "bin"]));
  await step("unit tests", () =>
    runTool("vitest/vitest.mjs", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${VITEST_REPORT}`,
    ]),
  );
  await step("unused code", () => runTool("knip/bin/knip.js", []));
}

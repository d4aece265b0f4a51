import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkImportFloors } from "./import-floors.mjs";
import { installMissing } from "./install.mjs";
import { allOf, asProgram, isProgram, ROOT, runTool, step } from "./run.mjs";

/** Where Vitest writes its report, relative to the repository. */
export const VITEST_REPORT = ".cache/vitest.json";

/** Every check of the sources that runs none of them. Throws once all have ended, if any failed. */
export async function checkSources() {
  const lints = async () => {
    await step("format", () => runTool("@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]));
    await step("lint", () => runTool("oxlint/bin/oxlint", ["--type-aware"]));
    await step("import rules", checkImportFloors);
    await step("unused code", () => runTool("knip/bin/knip.js", []));
  };
  const types = async () => {
    if (!existsSync(join(ROOT, "next-env.d.ts"))) {
      await step("types of routes", () => runTool("next/dist/bin/next", ["typegen"]));
    }
    await step("types", () => runTool("typescript/bin/tsc", ["--noEmit"]));
    await step("types of the command line", () => runTool("typescript/bin/tsc", ["-p", "bin"]));
  };
  await allOf(lints(), types());
}

/** The tests that need no browser. */
export async function testUnits() {
  await step("unit tests", () =>
    runTool("vitest/vitest.mjs", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${VITEST_REPORT}`,
    ]),
  );
}

// `npm run check`: format, lint, import rules, types, unit tests, unused code.
if (isProgram(import.meta.url)) {
  await asProgram(async () => {
    await installMissing("develop");
    await checkSources();
    await testUnits();
  });
}

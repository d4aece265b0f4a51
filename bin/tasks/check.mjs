import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkImportFloors } from "./import-floors.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, isProgram, ROOT, runTool, step } from "./run.mjs";

/** Where Vitest writes its report, relative to the repository. */
export const VITEST_REPORT = ".cache/vitest.json";

/** Every check of the sources that needs no browser. Throws at the first step that fails. */
export async function check() {
  await step("format", () => runTool("@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]));
  await step("lint", () => runTool("oxlint/bin/oxlint", ["--type-aware"]));
  await step("import rules", checkImportFloors);
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

// `npm run check`: format, lint, import rules, types, unit tests, unused code.
if (isProgram(import.meta.url)) {
  await asProgram(async () => {
    await installMissing("develop");
    await check();
  });
}

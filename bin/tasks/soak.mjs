import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildServer, isBuilt } from "./build.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT, StepFailure, showTool, step } from "./run.mjs";

const USAGE = `npm run soak [-- [--only models|browser|memory] [--minutes 60] [--seed N]]

  models   every random test, with many times the runs of npm test and another seed
  browser  the same in a browser: a reader at random, who must stay where they are; every session as a file
  memory   mixed random requests over all routes of a server, whose memory must stay level`;

// `npm run soak`: what `npm test` samples, for as long as it takes to trust it.
await asProgram(async () => {
  const { only, minutes, seed } = readOptions();
  await installMissing("develop");
  process.stdout.write(`seed ${seed}\n`);
  if (only === "models" || only === undefined) {
    const args = ["run", "--testTimeout=0", ...randomTests(["components", "lib"])];
    await showTool("vitest/vitest.mjs", args, { BACKSCROLL_SEED: seed });
  }
  if (!isBuilt() && only !== "models") await step("build", buildServer);
  if (only === "browser" || only === undefined) {
    // Imports Playwright, which may have only just been installed.
    const { installChromium } = await import("./chromium.mjs");
    await step("find a browser", installChromium);
    const args = ["test", "--retries=0", ...randomTests(["e2e"])];
    await showTool("@playwright/test/cli.js", args, { BACKSCROLL_SEED: seed });
  }
  if (only === "memory" || only === undefined) {
    await showTool("tsx/dist/cli.mjs", ["bench/soak/memory-soak.ts", "--minutes", minutes, "--seed", seed]);
  }
});

/**
 * The tests in these folders that ask `lib/testing/runs.ts` how often they run.
 *
 * @param {string[]} folders
 */
function randomTests(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
      .map((name) => join(folder, name))
      .filter((path) => readFileSync(join(ROOT, path), "utf8").includes('"@/lib/testing/runs"')),
  );
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string" },
      minutes: { type: "string", default: "60" },
      seed: { type: "string" },
    },
  });
  const { only, minutes } = values;
  const seed = values.seed ?? positionals[0] ?? String(Date.now() % 2 ** 31);
  const isNumber = /^\d+(\.\d+)?$/.test(minutes) && Number(minutes) > 0 && /^\d{1,10}$/.test(seed);
  if (!isNumber || (only !== undefined && !["models", "browser", "memory"].includes(only)))
    throw new StepFailure("not an option of the soak tests", USAGE);
  return { only, minutes, seed };
}

import { buildServer, isBuilt } from "./build.mjs";
import { installChromium } from "./chromium.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, showTool, step } from "./run.mjs";

// `npm run pictures`: takes README's pictures of the sample sessions; with `-- --sheets FOLDER`, sheets of every page.
await asProgram(async () => {
  await installMissing("develop");
  if (!isBuilt()) await step("build", buildServer);
  await installChromium();
  await showTool("tsx/dist/cli.mjs", ["e2e/pictures/take-pictures.ts", ...process.argv.slice(2)]);
});

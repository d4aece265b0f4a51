import { buildServer, isBuilt } from "./build.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, showTool, step } from "./run.mjs";

// `npm run bench -- …`: measures the production build; see bench/.
await asProgram(async () => {
  await installMissing("develop");
  if (!isBuilt()) await step("build", buildServer);
  await showTool("tsx/dist/cli.mjs", ["bench/run.ts", ...process.argv.slice(2)]);
});

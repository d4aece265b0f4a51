import { spawn } from "node:child_process";
import { buildServer, isBuilt } from "./build.mjs";
import { installChromium } from "./chromium.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT, StepFailure, step } from "./run.mjs";

// `npm run pictures`: takes README's pictures of the sample sessions; with `-- --sheets FOLDER`, sheets of every page.
await asProgram(async () => {
  await installMissing("develop");
  if (!isBuilt()) await step("build", buildServer);
  await installChromium();
  const script = ["node_modules/tsx/dist/cli.mjs", "e2e/pictures/take-pictures.ts", ...process.argv.slice(2)];
  const child = spawn(process.execPath, script, { cwd: ROOT, stdio: "inherit" });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new StepFailure(`the pictures ended with ${code}`, "");
});

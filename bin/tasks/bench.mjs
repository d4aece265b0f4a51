import { spawn } from "node:child_process";
import { buildServer, isBuilt } from "./build.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT, step } from "./run.mjs";

// `npm run bench -- …`: measures the production build; see bench/.
await asProgram(async () => {
  await installMissing("develop");
  if (!isBuilt()) await step("build", buildServer);
  const args = ["node_modules/tsx/dist/cli.mjs", "bench/run.ts", ...process.argv.slice(2)];
  spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
});

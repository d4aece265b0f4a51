import { buildServer, isBuilt } from "./build-server.mjs";
import { installMissing } from "./install.mjs";
import { packageDist } from "./package-dist.mjs";
import { asProgram, step } from "./run.mjs";

// `npm run build`; `npm pack` runs it with --package first.
await asProgram(async () => {
  await installMissing("serve");
  const forPackage = process.argv.includes("--package");
  if (!forPackage || !isBuilt()) await step("build", buildServer);
  if (forPackage) await step("dist", async () => packageDist());
});

import { join } from "node:path";
import { buildServer, isBuilt, STANDALONE } from "./build-server.mjs";
import { installMissing } from "./install.mjs";
import { StepFailure, step } from "./run.mjs";

/**
 * Prepares `npm start` in a clone: installs what is missing, and builds if the build is missing or stale. Returns the
 * path of the server's entry. If a step fails, the process exits with its output and exit code 1.
 */
export async function prepareServer() {
  if (!isBuilt()) {
    try {
      process.stderr.write("… preparing, which takes about a minute the first time\n");
      await installMissing("serve");
      await step("build", buildServer);
    } catch (cause) {
      if (!(cause instanceof StepFailure)) throw cause;
      process.stderr.write(`${cause.output.trimEnd()}\nbackscroll: ${cause.message}\n`);
      process.exit(1);
    }
  }
  return join(STANDALONE, "server.js");
}

import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { defaultDataDir, findAnnotationsDir, findArchiveDir, openDataDir } from "../cli/data-dir.mjs";
import { readingFlags, readOptions } from "../cli/options.mjs";
import { findRoots } from "../cli/roots.mjs";
import { serverEnv } from "../cli/server-env.mjs";
import { keepToken } from "../cli/token.mjs";
import { refuseFolder } from "./build.mjs";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT } from "./run.mjs";

// `npm run dev -- …`: Next's development server, with the flags of `backscroll`. Not for real use: only the guard and
// the production build give the guarantees of the gate.
await asProgram(async () => {
  refuseFolder();
  await installMissing("serve");
  const options = readOptions(process.argv.slice(2), process.env);
  const roots = findRoots(options, process.env);
  const paths = roots.map((root) => root.path);
  const folder = resolve(options.dataDir ?? join(defaultDataDir(process.env, options.demo), "dev"));
  const dataDir = openDataDir(folder, paths);
  const token = options.token ?? keepToken(dataDir, options.newToken);
  const { host, port } = options;
  process.stdout.write(`http://${host}:${port}/#t=${token}\n`);

  const where = {
    token,
    roots,
    dataDir,
    archiveDir: findArchiveDir({ ...options, dataDir }, process.env, paths),
    annotationsDir: findAnnotationsDir({ ...options, dataDir }, process.env, dataDir, paths),
    packageRoot: ROOT,
  };
  // Only the guard takes a base path off.
  const own = { flags: readingFlags(options), basePath: "", version: "0.0.0-dev" };
  const env = serverEnv({ ...options, ...where, ...own });
  const args = ["node_modules/next/dist/bin/next", "dev", "--hostname", host, "--port", String(port)];
  const next = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, NODE_ENV: "development" },
    stdio: "inherit",
  });
  next.on("exit", (code) => process.exit(code ?? 0));
  process.on("SIGTERM", () => next.kill());
});

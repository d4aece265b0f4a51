import { spawn } from "node:child_process";
import { installMissing } from "./install.mjs";
import { asProgram, ROOT } from "./run.mjs";

const SEQUENCES = "20000";

// `npm run soak [-- SEED]`: the models of live reading for much longer than in CI, with a seed of its own.
await asProgram(async () => {
  await installMissing("develop");
  const seed = process.argv[2] ?? String(Date.now() % 2 ** 31);
  process.stdout.write(`${SEQUENCES} sequences, seed ${seed}\n`);
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "lib/server/live/live-model.test.ts",
    "lib/thread/grow",
  ];
  const env = { ...process.env, BACKSCROLL_SEQUENCES: SEQUENCES, BACKSCROLL_SEED: seed };
  spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit", env }).on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
});

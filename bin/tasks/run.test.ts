import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";

const RUN = pathToFileURL(join(import.meta.dirname, "run.mjs")).href;

/** Writes its number down and goes on for ever. */
const PROGRAM =
  'require("fs").writeFileSync(process.env.PID_FILE, process.pid + "\\n"); setInterval(() => {}, 1000)';
const TASK = `
import { run } from ${JSON.stringify(RUN)};
run(process.execPath, ["-e", ${JSON.stringify(PROGRAM)}]);
`;

// Windows ends a process without telling it.
test.skipIf(process.platform === "win32")("what a task runs ends with the task", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const signal of ["SIGTERM", "SIGHUP", "SIGKILL"] as const) {
    const file = join(folder, signal);
    const task = spawn(process.execPath, ["--input-type=module", "-e", TASK], {
      env: { ...process.env, PID_FILE: file },
      stdio: "ignore",
    });
    const pid = await vi.waitFor(() => {
      const [, number] = /^(\d+)\n$/.exec(readFileSync(file, "utf8")) ?? [];
      expect(number).toBeDefined();
      return Number(number);
    }, 20_000);
    onTestFinished(() => {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // As it should be.
      }
    });
    task.kill(signal);
    expect(await once(task, "close")).toEqual([null, signal]);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 5_000);
  }
});

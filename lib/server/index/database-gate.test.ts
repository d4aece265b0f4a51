import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleProgram, REPO } from "@/lib/testing/programs/run-program";
import { openDatabase } from "./load-sqlite";

const STARTS = 12;
/** Each has several threads. */
const OPENING_STARTS = 8;

test("a process exits cleanly while its threads load SQLite and open databases", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-exit-"));
  try {
    const program = await bundleProgram("exit-in-database", folder);
    const env = { ...process.env, BACKSCROLL_PACKAGE_ROOT: REPO };
    for (let start = 0; start < OPENING_STARTS; start++) {
      const args = [program, "", String(start), "opening"];
      const { status, signal, stderr } = spawnSync(process.execPath, args, { env });
      expect({ status, signal, stderr: String(stderr) }).toEqual({ status: 0, signal: null, stderr: "" });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a process exits cleanly while one of its threads is inside SQLite, and its writes are complete", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-exit-"));
  try {
    const program = await bundleProgram("exit-in-database", folder);
    for (let start = 0; start < STARTS; start++) {
      const path = join(folder, `${start}.db`);
      const env = { ...process.env, BACKSCROLL_PACKAGE_ROOT: REPO };
      const { status, signal, stderr } = spawnSync(process.execPath, [program, path, String(start)], { env });
      expect({ status, signal, stderr: String(stderr) }).toEqual({ status: 0, signal: null, stderr: "" });
      const database = openDatabase(path);
      expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

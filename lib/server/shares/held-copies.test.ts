import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeCopiesFolder } from "./copied-session";

const windows = vi.hoisted(() => ({ isHeld: false }));

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  // That of Node itself follows links, and leaves short names as they are.
  const realpath = Object.assign((path: string) => path, { native: real.realpathSync.native });
  return {
    ...real,
    realpathSync: realpath,
    rmSync: (...args: Parameters<typeof real.rmSync>) => {
      if (windows.isHeld) throw Object.assign(new Error("EBUSY: resource busy"), { code: "EBUSY" });
      real.rmSync(...args);
    },
  };
});

test("copies lie where their library finds them, and what Windows still holds fails no exit", () => {
  const top = realpathSync.native(mkdtempSync(join(tmpdir(), "backscroll-held-")));
  mkdirSync(join(top, "Long User", "Temp"), { recursive: true });
  // In place of a short name.
  symlinkSync(join(top, "Long User"), join(top, "LONGUS~1"));
  vi.stubEnv("TMPDIR", join(top, "LONGUS~1", "Temp"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    windows.isHeld = false;
    rmSync(top, { recursive: true, force: true });
  });
  const before = new Set(process.listeners("exit"));
  expect(makeCopiesFolder().startsWith(join(top, "Long User", "Temp"))).toBe(true);
  windows.isHeld = true;
  for (const listener of process.listeners("exit")) {
    if (before.has(listener)) continue;
    process.off("exit", listener);
    expect(() => listener(0)).not.toThrow();
  }
});

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { CopiesFolder } from "./copies-folder";
import { SessionCopy } from "./session-copy";

const windows = vi.hoisted(() => ({ isHeld: false }));

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  // That of Node itself follows links, and leaves short names as they are.
  const realpath = Object.assign((path: string) => path, { native: real.realpathSync.native });
  const appending = new Set<number>();
  return {
    ...real,
    openSync: (...args: Parameters<typeof real.openSync>) => {
      const descriptor = real.openSync(...args);
      if (args[1] === "a") appending.add(descriptor);
      else appending.delete(descriptor);
      return descriptor;
    },
    ftruncateSync: (...args: Parameters<typeof real.ftruncateSync>) => {
      // Whoever opens a file of Windows to append may not cut it.
      if (appending.has(args[0])) throw Object.assign(new Error("EPERM: ftruncate"), { code: "EPERM" });
      real.ftruncateSync(...args);
    },
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
  expect(new CopiesFolder().path.startsWith(join(top, "Long User", "Temp"))).toBe(true);
  windows.isHeld = true;
  for (const listener of process.listeners("exit")) {
    if (before.has(listener)) continue;
    process.off("exit", listener);
    expect(() => listener(0)).not.toThrow();
  }
});

test("a copy whose last record no newline ended goes on, on Windows too", () => {
  const place = `projects/C--shop/${uuid(1)}.jsonl`;
  const root = makeTree({ [place]: [prompt("one")] });
  const path = join(root, place);
  appendFileSync(path, JSON.stringify(prompt("two")));
  const copy = new SessionCopy(join(root, "copy"), null);
  const source = { root, path, place, key: "m" };
  for (const more of ["", "\n", `${JSON.stringify(prompt("three"))}\n`, JSON.stringify(prompt("four"))]) {
    writeFileSync(path, more, { flag: "a" });
    copy.update([source]);
    expect(readFileSync(join(root, "copy", place), "utf8")).toBe(readFileSync(path, "utf8"));
  }
});

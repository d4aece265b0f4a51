import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolders } from "./make-folders.mjs";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-folders-")));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const isFolder = (...names: string[]) => statSync(join(folder, ...names)).isDirectory();

it("makes a folder and those above it, and leaves one that is there as it is", () => {
  makeFolders(join(folder, "a", "b", "c"), 0o700);
  expect(isFolder("a", "b", "c")).toBe(true);
  makeFolders(join(folder, "a", "b", "c"), 0o700);
  makeFolders(folder, 0o700);
});

it.skipIf(process.platform === "win32")("makes it for this account alone", () => {
  makeFolders(join(folder, "a", "b"), 0o700);
  expect(["a", "a/b"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

it("says what the system says of a file, or of a link that leads nowhere, in its place", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file"), 0o700)).toThrow(/EEXIST/);
  expect(() => makeFolders(join(folder, "file", "below"), 0o700)).toThrow(/ENOTDIR|ENOENT/);
  symlinkSync(join(folder, "none"), join(folder, "link"), "junction");
  expect(() => makeFolders(join(folder, "link", "below"), 0o700)).toThrow(/EEXIST|ENOENT/);
});

it("takes a folder for its own that another process makes meanwhile", () => {
  const made: string[] = [];
  const makeOne = (path: string) => {
    made.push(path);
    mkdirSync(path);
    throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
  };
  makeFolders(join(folder, "a", "b"), 0o700, makeOne);
  expect(made).toEqual([join(folder, "a"), join(folder, "a", "b")]);
});

// Node 20 itself tries that for ever; so it is tried by a process of its own.
it.runIf(process.platform === "linux")("ends where nothing can be made, as below /proc", () => {
  const code = `import { makeFolders } from ${JSON.stringify(join(import.meta.dirname, "make-folders.mjs"))};
    try { makeFolders("/proc/none/data", 0o700); } catch (cause) { process.stdout.write(cause.code); }`;
  const args = ["--input-type=module", "--eval", code];
  const { stdout, error } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  expect([error, stdout]).toEqual([undefined, "ENOENT"]);
});

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findAnnotationsDir, findArchiveDir, openDataDir } from "./data-dir.mjs";

let folder = "";
let logs = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-data-dir-")));
  logs = join(folder, "logs");
  mkdirSync(logs);
});
afterEach(() => rmSync(folder, { recursive: true }));

it("makes the data folder beside the logs, even if these are not there yet", () => {
  expect(openDataDir(join(folder, "data"), [logs, join(folder, "later")])).toBe(join(folder, "data"));
});

it.each(["data", "..data", "."])("refuses a data folder among the logs: %s", (name) => {
  expect(() => openDataDir(join(logs, name), [logs])).toThrow("lies among the logs");
  expect(existsSync(join(logs, "..data"))).toBe(false);
});

it("refuses a data folder that a link leads among the logs", () => {
  symlinkSync(logs, join(folder, "link"), "junction");
  expect(() => openDataDir(join(folder, "link"), [logs])).toThrow("lies among the logs");
});

const USUAL = { archive: true, archiveDir: undefined, dataDir: undefined, demo: false };

it("keeps in the user's data folder, in a data folder that was named, or where it is told", () => {
  const env = { XDG_DATA_HOME: folder, LOCALAPPDATA: folder };
  const above = process.platform === "darwin" ? join(homedir(), "Library/Application Support") : folder;
  expect(findArchiveDir(USUAL, env, [logs])).toBe(join(above, "backscroll", "archive"));
  const named = { ...USUAL, dataDir: join(folder, "data") };
  expect(findArchiveDir(named, env, [logs])).toBe(join(folder, "data", "archive"));
  expect(findArchiveDir({ ...named, archiveDir: join(folder, "kept") }, env, [logs])).toBe(
    join(folder, "kept"),
  );
  expect(existsSync(join(folder, "kept"))).toBe(false);
});

it("keeps nothing of the samples, nor when it is told not to", () => {
  expect(findArchiveDir({ ...USUAL, demo: true, dataDir: folder }, {}, [logs])).toBeNull();
  expect(findArchiveDir({ ...USUAL, archive: false, dataDir: folder }, {}, [logs])).toBeNull();
});

it("refuses an archive among the logs, also by a link", () => {
  symlinkSync(logs, join(folder, "link"), "junction");
  for (const archiveDir of [join(logs, "kept"), join(folder, "link", "kept")])
    expect(() => findArchiveDir({ ...USUAL, archiveDir }, {}, [logs])).toThrow("lies among the logs");
});

it("keeps annotations in the data folder that was given, else where caches are not", () => {
  const env = { XDG_DATA_HOME: join(folder, "share"), LOCALAPPDATA: join(folder, "share") };
  const find = (dataDir: string | undefined, demo = false) =>
    findAnnotationsDir({ dataDir, demo }, env, join(folder, "data"), [logs]);
  expect(find("given")).toBe(join(folder, "data", "annotations"));
  expect(find(undefined, true)).toBe(join(folder, "data", "annotations"));
  const permanent =
    process.platform === "darwin" ? join(homedir(), "Library", "Application Support") : join(folder, "share");
  expect(find(undefined)).toBe(join(permanent, "backscroll", "annotations"));
  expect(() => findAnnotationsDir({ dataDir: "given", demo: false }, env, logs, [logs])).toThrow(
    "lies among the logs",
  );
});

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDataDir } from "./data-dir.mjs";

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

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compiledFolder, keepCompiled } from "./compile-cache.mjs";

let folder: string;
let dataDir: string;
let serverFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-compiled-"));
  dataDir = join(folder, "data");
  serverFile = join(folder, "server", "server.js");
});

afterEach(() => rmSync(folder, { recursive: true }));

function startOf(build: string, env: Record<string, string | undefined> = {}) {
  const folders: string[] = [];
  const enableCompileCache = (made: string) => {
    mkdirSync(made, { recursive: true });
    folders.push(made);
  };
  keepCompiled({ serverFile, build, dataDir }, env, { enableCompileCache });
  return { folders, env };
}

test("what was compiled of a build is kept for its next start, and its threads", () => {
  const first = startOf("build one");
  const second = startOf("build one");
  expect(first.folders).toHaveLength(1);
  expect(second.folders).toEqual(first.folders);
  expect(first.folders[0]?.startsWith(join(dataDir, "compiled"))).toBe(true);
  expect(first.env.NODE_COMPILE_CACHE).toBe(first.folders[0]);
});

test("another build's goes", () => {
  const [old = ""] = startOf("build one").folders;
  const [kept = ""] = startOf("build two").folders;
  expect(existsSync(old)).toBe(false);
  expect(existsSync(kept)).toBe(true);
});

test("a user's own folder, and their wish for none, stay", () => {
  expect(startOf("build", { NODE_COMPILE_CACHE: "/own" })).toEqual({
    folders: [],
    env: { NODE_COMPILE_CACHE: "/own" },
  });
  expect(startOf("build", { NODE_DISABLE_COMPILE_CACHE: "1" }).folders).toEqual([]);
});

test("a server whose build has begun it keeps it beside itself, and nothing in the data folder", () => {
  const [inData = ""] = startOf("build").folders;
  const beside = compiledFolder(join(folder, "server"));
  mkdirSync(beside, { recursive: true });
  expect(startOf("build")).toEqual({ folders: [beside], env: { NODE_COMPILE_CACHE: beside } });
  expect(existsSync(inData)).toBe(false);
});

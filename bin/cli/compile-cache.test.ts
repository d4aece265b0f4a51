import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepCompiled } from "./compile-cache.mjs";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "backscroll-compiled-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

function startOf(build: string, env: Record<string, string | undefined> = {}) {
  const folders: string[] = [];
  keepCompiled(dataDir, build, env, {
    enableCompileCache: (folder) => {
      mkdirSync(folder, { recursive: true });
      folders.push(folder);
    },
  });
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

test("a Node without such a cache is left as it is", () => {
  const env = {};
  keepCompiled(dataDir, "build", env, {});
  expect(env).toEqual({});
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compiledFolder, keepCompiled, optimiseLater } from "./compile-cache.mjs";

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

test.skipIf(Number.parseInt(process.versions.node, 10) >= 22)(
  "what has been called some hundred times is not optimised yet in Node 20",
  () => {
    const file = join(folder, "called.mjs");
    writeFileSync(
      file,
      `import { optimiseLater } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "compile-cache.mjs")))};
      optimiseLater();
      const add = (numbers) => { let sum = 0; for (const one of numbers) sum += one; return sum; };
      const twenty = Array.from({ length: 20 }, (_, at) => at);
      const callsUntil = (max) => {
        for (let calls = 0; calls < max; calls++) if (add(twenty) < 0 || isOptimised()) return calls;
        return max;
      };
      const isOptimised = () => (%GetOptimizationStatus(add) & 16) !== 0;
      console.log(callsUntil(1_000));`,
    );
    const flags = ["--allow-natives-syntax", "--no-concurrent-recompilation"];
    expect(execFileSync(process.execPath, [...flags, file], { encoding: "utf8" })).toBe("1000\n");
  },
);

test("a later Node has no such setting, and is given none", () => {
  const set: string[] = [];
  for (const version of ["20.19.0", "22.1.0", "24.21.0"]) optimiseLater(version, (flag) => set.push(flag));
  expect(set).toEqual(["--interrupt-budget=600000"]);
});

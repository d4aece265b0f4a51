import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const CODE_CACHE = join(import.meta.dirname, "code-cache.cjs");

let folder: string;
let kept: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-code-cache-"));
  kept = join(folder, "kept", "here");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, "app"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "app", name), text);
}

/** Runs `app/main.cjs` with the cache, and returns what it printed. */
function start(flags: readonly string[] = []): string {
  const program = join(folder, "start.cjs");
  writeFileSync(
    program,
    `require(${JSON.stringify(CODE_CACHE)}).keepCode(${JSON.stringify(kept)}); require("./app/main.cjs");`,
  );
  return execFileSync(process.execPath, [...flags, program], { encoding: "utf8" }).trim();
}

/** When each file of the cache was last written. */
function written(): Record<string, number> {
  return Object.fromEntries(
    readdirSync(kept).map((name) => [name, statSync(join(kept, name), { bigint: false }).mtimeMs]),
  );
}

test("what a start has compiled the next one finds, and does not write again", () => {
  write({ "main.cjs": `console.log(require("./sum").sum(1, 2))`, "sum.js": `exports.sum = (a, b) => a + b` });
  expect(start()).toBe("3");
  const first = written();
  expect(Object.keys(first)).toHaveLength(2);
  expect(start()).toBe("3");
  expect(written()).toEqual(first);
});

test("other code of the same length is compiled anew", () => {
  write({ "main.cjs": `console.log("one")` });
  expect(start()).toBe("one");
  write({ "main.cjs": `console.log("two")` });
  expect(start()).toBe("two");
  expect(start()).toBe("two");
});

test("what is damaged, empty, or made with other flags is made again", () => {
  write({ "main.cjs": `console.log((() => "well")())` });
  start();
  const [name = ""] = readdirSync(kept);
  const good = readFileSync(join(kept, name));
  for (const bad of [
    Buffer.alloc(0),
    good.subarray(0, 40),
    good.map((byte, n) => (n === 60 ? byte ^ 1 : byte)),
  ]) {
    writeFileSync(join(kept, name), bad);
    expect(start()).toBe("well");
    expect(readFileSync(join(kept, name)).subarray(0, 8)).not.toEqual(bad.subarray(0, 8));
    expect(start()).toBe("well");
  }
  const before = readFileSync(join(kept, name));
  expect(start(["--no-opt"])).toBe("well");
  expect(readFileSync(join(kept, name))).not.toEqual(before);
});

test("modules see what Node shows them", () => {
  write({
    "main.cjs": `
      const { name } = require("./data.json");
      const seen = [name, __filename === require.resolve("./main.cjs"), __dirname === require("node:path").dirname(__filename)];
      seen.push(module.exports === exports, this === exports, require("./next").self === require.cache[require.resolve("./next")]);
      seen.push(require("./typed.mjs").typed, require("./untyped").untyped, require("./keeper").name);
      console.log(seen.join(" "));`,
    "data.json": `{"name": "data"}`,
    "next.js": `exports.self = module`,
    "typed.mjs": `export const typed = "typed"`,
    "untyped.js": `export const untyped = import.meta.url.length > 0;`,
    // Has a method whose definition looks like a call of `import`.
    "keeper.js": `class Keeper { import(name) { return name } }\nexports.name = new Keeper().import("keeper")`,
  });
  const shown = "data true true true true true typed true keeper";
  for (let time = 0; time < 2; time++) expect(start(["--no-warnings"])).toBe(shown);
});

test("what was kept can import", () => {
  write({
    "main.cjs": `
      const load = async (name) => (await import(name)).typed;
      const last = (name) => import(name, {});
      (async () => console.log(await load("./typed.mjs"), (await last("node:path")).sep.length, "import()"))();`,
    "typed.mjs": `export const typed = "typed"`,
  });
  for (let time = 0; time < 2; time++) expect(start()).toBe("typed 1 import()");
  expect(Object.keys(written())).toHaveLength(1);
});

test("an error in the code says where it is, as ever", () => {
  write({
    "main.cjs": `try { require("./broken") } catch (cause) { console.log(cause.name, cause.stack.includes("broken.js:2")) }`,
    "broken.js": `\nlet let = 1`,
  });
  for (let time = 0; time < 2; time++) expect(start()).toBe("SyntaxError true");
});

/** A program with a thread that lives for so long. */
const withThread = (ms: number) => ({
  "main.cjs": `
    const { Worker } = require("node:worker_threads");
    const resourceLimits = { maxOldGenerationSizeMb: 64 };
    const thread = new Worker(require.resolve("./thread"), { workerData: 20, resourceLimits });
    thread.on("message", (text) => { console.log(text); thread.postMessage("end"); });`,
  "thread.js": `
    const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage(require("./twice")(workerData));
    parentPort.once("message", () => setTimeout(() => parentPort.close(), ${ms}));`,
  "twice.js": `module.exports = (n) => n * 2`,
});

test("threads find what threads before them have compiled", () => {
  write(withThread(2_300));
  expect(start()).toBe("40");
  const first = written();
  expect(Object.keys(first).filter((name) => name.endsWith("-thread"))).toHaveLength(2);
  expect(start()).toBe("40");
  expect(written()).toEqual(first);
});

test("threads start with the flags that a thread is refused, too", () => {
  write(withThread(0));
  expect(start(["--max-old-space-size=1024"])).toBe("40");
});

test("where nothing can be written everything runs", () => {
  write({ "main.cjs": `console.log("runs")` });
  writeFileSync(join(folder, "kept"), "a file where a folder would have to be");
  expect(start()).toBe("runs");
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeMissing, findMissing, installMissing, TOOLS } from "./install.mjs";
import { findNpm, StepFailure } from "./run.mjs";

const ROOT = join(import.meta.dirname, "../..");
const MAC = { os: "darwin", cpu: "arm64", libc: null };
const BSD = { os: "freebsd", cpu: "x64", libc: null };
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-install-"));
  const direct = {
    devDependencies: { next: "2.0.0", vitest: "1.0.0" },
    optionalDependencies: { sqlite: "1.0.0" },
  };
  write("package.json", direct);
  const mac = { version: "2.0.0", os: ["darwin"], cpu: ["arm64"], optional: true };
  write("package-lock.json", {
    packages: {
      "": direct,
      "node_modules/next": {
        version: "2.0.0",
        dependencies: { styled: "3.0.0" },
        optionalDependencies: { "swc-darwin-arm64": "2.0.0", "swc-linux-x64": "2.0.0" },
      },
      "node_modules/swc-darwin-arm64": mac,
      "node_modules/swc-linux-x64": { ...mac, os: ["linux"], cpu: ["x64"] },
      "node_modules/styled": { version: "3.0.0" },
      "node_modules/sqlite": { version: "1.0.0", os: ["darwin", "linux"], optional: true },
      "node_modules/vitest": { version: "1.0.0" },
    },
  });
  for (const name of ["next", "swc-darwin-arm64"]) install(name, "2.0.0");
  install("styled", "3.0.0");
  for (const name of ["sqlite", "vitest"]) install(name, "1.0.0");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, content: unknown) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(content));
}

const install = (name: string, version: string) => write(`node_modules/${name}/package.json`, { version });
const uninstall = (name: string) => rmSync(join(folder, "node_modules", name), { recursive: true });

it("misses nothing where all is installed", () => {
  expect(findMissing(folder, "develop", MAC)).toEqual([]);
});

it("misses what is not there, or in another version, at any depth", () => {
  install("next", "1.9.0");
  uninstall("styled");
  expect(findMissing(folder, "serve", MAC)).toEqual(["next", "styled"]);
});

it("misses the binary of this platform though another platform's is there", () => {
  expect(findMissing(folder, "serve", { os: "linux", cpu: "x64", libc: "glibc" })).toEqual(["swc-linux-x64"]);
});

it("does without the tools for tests to serve, but not to develop", () => {
  uninstall("vitest");
  expect(findMissing(folder, "serve", MAC)).toEqual([]);
  expect(findMissing(folder, "develop", MAC)).toEqual(["vitest"]);
});

it("does not wait for what is not made for the platform", () => {
  uninstall("sqlite");
  expect(findMissing(folder, "serve", BSD)).toEqual([]);
  expect(findMissing(folder, "serve", MAC)).toEqual(["sqlite"]);
});

it("misses a dependency that was added but not locked", () => {
  write("package.json", { devDependencies: { next: "2.0.0", fresh: "1.0.0" } });
  expect(findMissing(folder, "serve", MAC)).toEqual(["fresh"]);
});

it("says what is missing, where, and what to do", () => {
  expect(describeMissing(["@next/swc-darwin-arm64"], "serve", MAC)).toContain(
    "needs on darwin-arm64: @next/swc-darwin-arm64.",
  );
  expect(describeMissing(["@biomejs/cli-linux-x64-musl"], "develop", MAC)).toContain(
    "npm start does without",
  );
});

it("does not run npm where nothing is missing", async () => {
  uninstall("swc-darwin-arm64");
  write("package-lock.json", { packages: { "node_modules/zod": { version: "4.0.0" } } });
  write("package.json", { devDependencies: { zod: "4.0.0" } });
  install("zod", "4.0.0");
  const npm = async () => {
    throw new Error("npm ran");
  };
  await expect(installMissing("develop", folder, npm)).resolves.toBeUndefined();
});

it("installs without the tools where these cannot be had, to serve, and keeps what was locked", async () => {
  uninstall("styled");
  for (const name of ["package.json", "package-lock.json"]) {
    const text = readFileSync(join(folder, name), "utf8");
    write(name, JSON.parse(text.replaceAll(/"swc-[^"]+":"2.0.0",?/g, "").replaceAll(",}", "}")));
  }
  const runs: string[] = [];
  const npm = async (args: string[], cwd = "") => {
    const { devDependencies } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    runs.push(`${args[0]} ${args[1]}: ${Object.keys(devDependencies).join(",")}`);
    if (devDependencies.vitest) throw new StepFailure("npm ended with 1", "no vitest");
    for (const [name, version] of [
      ["next", "2.0.0"],
      ["styled", "3.0.0"],
      ["sqlite", "1.0.0"],
    ] as const) {
      write(`${cwd.slice(folder.length)}/node_modules/${name}/package.json`, { version });
    }
    return "";
  };
  await installMissing("serve", folder, npm);
  expect(runs).toEqual(["ci --no-engine-strict: next,vitest", "ci --no-engine-strict: next"]);
  expect(readdirSync(join(folder, "node_modules")).sort()).toEqual(["next", "sqlite", "styled"]);
  expect(readdirSync(join(folder, ".cache"))).toEqual([]);
  await expect(installMissing("develop", folder, npm)).rejects.toThrow("npm ended with 1");
});

it("names what npm has left out, rather than letting the build fail on it", async () => {
  uninstall("styled");
  await expect(installMissing("serve", folder, async () => "")).rejects.toThrow(
    /did not install .*: .*styled/,
  );
});

it("nothing that is built or served imports a tool for tests", () => {
  const files = ["app", "components", "lib", "bin/cli", "public"].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|tsx|mjs|css)$/.test(name) && !/\.test\.tsx?$|^testing[\\/]/.test(name))
      .map((name) => join(top, name)),
  );
  const importing = [
    ...files,
    "proxy.ts",
    "instrumentation.ts",
    "next.config.mjs",
    "postcss.config.mjs",
  ].filter((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:from|import\(?) ?["']([^"']+)/g)].some(
      ([, name = ""]) =>
        TOOLS.has(
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
        ),
    ),
  );
  expect(importing).toEqual([]);
});

it("every tool is a dependency", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect([...TOOLS].filter((name) => devDependencies[name] === undefined)).toEqual([]);
});

it("runs the npm that runs the task, else the one that came with this Node", () => {
  const at =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);
  const beside = join("/opt/node/bin", "../lib/node_modules/npm/bin/npm-cli.js");
  const windows = join("/node", "node_modules/npm/bin/npm-cli.js");
  const running = "/elsewhere/npm/bin/npm-cli.js";
  expect(findNpm({ npm_execpath: running }, "/opt/node/bin/node", at(running, beside))).toBe(running);
  expect(findNpm({ npm_execpath: "/yarn/bin/yarn.js" }, "/opt/node/bin/node", at(beside))).toBe(beside);
  expect(findNpm({}, "/node/node.exe", at(windows))).toBe(windows);
  expect(findNpm({}, "/opt/node/bin/node", at())).toBe(null);
});

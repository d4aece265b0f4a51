import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { compiledFolder } from "../bin/cli/compile-cache.mjs";
import { findNpm } from "../bin/tasks/run.mjs";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const ROOT = join(import.meta.dirname, "..");
const MIB = 1024 * 1024;
let folder = "";
let server: TestServer;

/** Packs this repository, installs the package in an empty folder, and starts its command there. */
test.beforeAll(async () => {
  // It is built for that, if it has changed since.
  test.setTimeout(600_000);
  folder = mkdtempSync(join(tmpdir(), "backscroll-package-"));
  npm(["pack", "--pack-destination", folder], ROOT);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "package.json"), "{}");
  npm(["install", "--no-audit", "--no-fund", `./${tarball}`], folder);
  server = await startServer({ cli: join(folder, "node_modules/backscroll/bin/backscroll.mjs") });
});
test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs npm by its script: on Windows the `npm` command is a shell script, which splits a path at spaces. */
const npm = (args: string[], cwd: string) =>
  execFileSync(process.execPath, [findNpm() ?? "", ...args], { cwd, encoding: "utf8", stdio: "pipe" });

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
    lstatSync(join(path, name)).isFile(),
  );

const treeBytes = (path: string): number =>
  filesIn(path).reduce((bytes, name) => bytes + lstatSync(join(path, name)).size, 0);

test("stays small, installed alone and with what it needs", () => {
  expect(treeBytes(join(folder, "node_modules/backscroll")) / MIB).toBeLessThanOrEqual(25);
  expect(treeBytes(join(folder, "node_modules")) / MIB).toBeLessThanOrEqual(60);
});

test("contains its command, no test of it, and no trace of the machine it was built on", () => {
  expect(npm(["exec", "--no", "--", "backscroll", "--version"], folder)).toMatch(/^\d+\.\d+\.\d+$/m);
  const command = filesIn(join(folder, "node_modules/backscroll/bin"));
  expect(command.filter((name) => name.includes(".test."))).toEqual([]);
  const dist = join(folder, "node_modules/backscroll/dist");
  const naming = filesIn(dist).filter(
    (name) => /\.(js|json)$/.test(name) && readFileSync(join(dist, name), "utf8").includes(ROOT),
  );
  expect(naming).toEqual([]);
});

test("contains its licence, and those of all that it is made of", () => {
  const installed = join(folder, "node_modules/backscroll");
  expect(readFileSync(join(installed, "LICENSE"), "utf8")).toContain("MIT License");
  const licences = readFileSync(join(installed, "dist/third-party-licenses.txt"), "utf8");
  for (const name of ["next", "react", "shiki", "@modelcontextprotocol/server"])
    expect(licences).toMatch(new RegExp(`(^|, )${name} \\d`, "m"));
});

test("contains nothing built for a specific platform", () => {
  expect(existsSync(compiledFolder(join(folder, "node_modules/backscroll/dist")))).toBe(false);
  const installed = join(folder, "node_modules/backscroll");
  const tied = filesIn(installed).filter((name) => /\.(node|dll|so|dylib|wasm)$|@img|\bsharp\b/.test(name));
  expect(tied).toEqual([]);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, "package.json"), "utf8"),
  );
  expect(dependencies ?? {}).toEqual({});
  expect(Object.keys(optionalDependencies)).toEqual(["@photostructure/sqlite"]);
});

async function get(path: string) {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.status).toBe(200);
  return response.json();
}

test("answers the API from an empty folder", async () => {
  expect(await get("health")).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    demo: true,
  });
  // Its threads run as well: their chunks are shared in the package alone.
  await expect.poll(async () => (await get("health")).indexing.done).toBe(true);
  expect((await get("search?q=order")).hits.length).toBeGreaterThan(0);
});

test("shows the samples in a browser without breaking its policy", async ({ page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") faults.push(`${request.url()} ${reason}`); // aborted by leaving the page
  });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith("blob:"))
      foreign.push(request.url());
  });
  await page.goto(`${server.url}/#t=${server.token}`);
  const session = page.locator('a[href*="/sessions/"]').first();
  await expect(session).toBeVisible();
  expect(page.url()).not.toContain(server.token);
  await session.click();
  await expect(page.locator("main [data-record-id]").first()).toBeVisible();
  expect(faults).toEqual([]);
  expect(foreign).toEqual([]);
});

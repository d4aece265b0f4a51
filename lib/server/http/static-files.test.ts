import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StaticFiles } from "./static-files";

const PLACE = "/_next/static/chunks/";
let dir: string;
let files: StaticFiles;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "backscroll-static-"));
  const chunks = join(dir, "chunks");
  mkdirSync(join(chunks, "inner.js"), { recursive: true });
  writeFileSync(join(dir, "secret.js"), "secret");
  writeFileSync(join(chunks, "a-1~b.js"), "run('é')");
  writeFileSync(join(chunks, "c.css"), "p {}");
  writeFileSync(join(chunks, "m.map"), "{}");
  files = new StaticFiles(chunks);
});
afterAll(() => rmSync(dir, { recursive: true }));

const find = (url: string, method = "GET", headers: Record<string, string> = {}) =>
  files.find(method, url, new Headers(headers));

test("a script and a style are sent whole, with the headers of every answer, to be kept for ever", () => {
  const script = find(`${PLACE}a-1~b.js`);
  expect(Buffer.from(script?.body ?? []).toString()).toBe("run('é')");
  expect(script?.headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-length": 9,
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": expect.stringContaining("default-src 'none'; script-src 'nonce-"),
  });
  expect(find(`${PLACE}c.css?dpl=1`)?.headers).toMatchObject({ "content-type": "text/css; charset=UTF-8" });
});

test("what is no such file, or not asked for whole, is Next's to answer", () => {
  for (const name of ["none.js", "m.map", "../secret.js", "..%2fsecret.js", "inner.js", "", "/a-1~b.js"])
    expect(find(PLACE + name), name).toBeNull();
  expect(find("/_next/static/a-1~b.js")).toBeNull();
  expect(find(`${PLACE}c.css`, "HEAD")).toBeNull();
  for (const header of ["range", "if-none-match", "if-modified-since"])
    expect(find(`${PLACE}c.css`, "GET", { [header]: "x" }), header).toBeNull();
});

test("a file that was read stays when it is removed, as it does with a build beside a running server", () => {
  const late = new StaticFiles(join(dir, "chunks"));
  const ask = (name: string) => late.find("GET", PLACE + name, new Headers());
  expect(ask("c.css")).not.toBeNull();
  rmSync(join(dir, "chunks"), { recursive: true });
  expect(Buffer.from(ask("c.css")?.body ?? []).toString()).toBe("p {}");
  expect(ask("a-1~b.js")).toBeNull();
  expect(new StaticFiles(join(dir, "chunks")).find("GET", `${PLACE}c.css`, new Headers())).toBeNull();
});

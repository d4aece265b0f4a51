import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepServer, newestServer } from "./built-servers.mjs";

let root: string;
let servers: string;
let builds = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "backscroll-builds-"));
  servers = join(root, "servers");
});
afterEach(() => rmSync(root, { recursive: true }));

/** Builds a server from sources with this hash, a minute after the one before. */
function build(sources: string): string {
  const built = join(root, "built");
  mkdirSync(built);
  writeFileSync(join(built, "server.js"), sources);
  keepServer(built, sources, servers);
  const { folder } = newestServer(servers) ?? { folder: "" };
  builds += 1;
  utimesSync(join(folder, "backscroll-build.json"), builds * 60, builds * 60);
  return folder;
}

test("a server that is built leaves the one before it alone, and removes older ones", () => {
  expect(newestServer(servers)).toBeNull();
  const first = build("1".repeat(64));
  const second = build("2".repeat(64));
  expect([first, second].map((folder) => existsSync(join(folder, "server.js")))).toEqual([true, true]);
  expect(newestServer(servers)).toEqual({ folder: second, sources: "2".repeat(64) });
  const third = build("3".repeat(64));
  expect(existsSync(first)).toBe(false);
  expect(existsSync(second)).toBe(true);
  expect(build("3".repeat(64))).toBe(third);
  expect(readdirSync(servers)).toHaveLength(2);
});

test("what was broken off while it was put there is no server", () => {
  const first = build("1".repeat(64));
  mkdirSync(join(servers, "2".repeat(16)));
  expect(newestServer(servers)?.folder).toBe(first);
});

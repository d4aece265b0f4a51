import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openIndexFile } from "@/lib/server/index/index-file";
import { makeTree } from "@/lib/testing/log-tree";
import { keepToken } from "../../../bin/cli/token.mjs";
import { makeOwnerOnly } from "./owner-only.mjs";

const disk = vi.hoisted(() => ({ hasRights: false, uid: null as number | null }));

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  const chmodSync = (...args: Parameters<typeof real.chmodSync>) => {
    if (disk.hasRights) return real.chmodSync(...args);
    throw Object.assign(new Error("EPERM: operation not permitted, chmod"), { code: "EPERM" });
  };
  const statOf = (...args: Parameters<typeof real.statSync>) => {
    const stats = real.statSync(...args);
    return stats && disk.uid !== null ? Object.assign(stats, { uid: disk.uid }) : stats;
  };
  return { ...real, chmodSync, statSync: statOf };
});

test("a data folder on a disk without rights (FAT, exFAT) keeps its token, and has an index", () => {
  const folder = makeTree({});
  const token = keepToken(folder, false);
  expect(keepToken(folder, false)).toBe(token);
  const index = openIndexFile(folder);
  expect([index.mode, index.warnings]).toEqual(["writer", []]);
  index.close();
});

test("a file of another account is refused, and permissions are set where they exist", () => {
  const path = join(makeTree({ token: ["x"] }), "token");
  disk.uid = (process.getuid?.() ?? 0) + 1;
  expect(() => makeOwnerOnly(path)).toThrow("EPERM");
  disk.uid = null;
  disk.hasRights = true;
  makeOwnerOnly(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

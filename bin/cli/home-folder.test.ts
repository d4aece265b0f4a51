import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { defaultDataDir, findAnnotationsDir, findArchiveDir } from "./data-dir.mjs";
import { findRoots } from "./roots.mjs";
import { UsageError } from "./usage-error.mjs";

vi.mock("node:os", async (actual) => ({
  ...(await actual<typeof import("node:os")>()),
  // As Node says it where the system knows no such user, and HOME is not set.
  homedir: () => {
    throw Object.assign(new Error("A system error occurred: uv_os_homedir returned ENOENT"), {
      code: "ERR_SYSTEM_ERROR",
    });
  },
}));

it("an account without a home folder is told to name the folders, and needs none for those that are named", () => {
  const options = { demo: false, claudeDirs: [], paths: [], archive: true, archiveDir: undefined };
  const usual = { ...options, dataDir: undefined };
  for (const find of [
    () => findRoots(usual, {}),
    () => defaultDataDir({}, false),
    () => findArchiveDir(usual, {}, []),
    () => findAnnotationsDir(usual, {}, "/data", []),
  ])
    expect(find).toThrow(UsageError);
  const folder = makeTree({});
  const named = { ...options, claudeDirs: [folder], dataDir: folder };
  expect(findRoots(named, {})).toEqual([{ path: folder, kind: "config" }]);
  expect(findArchiveDir(named, {}, [])).toBe(join(folder, "archive"));
  expect(findAnnotationsDir(named, {}, folder, [])).toBe(join(folder, "annotations"));
});

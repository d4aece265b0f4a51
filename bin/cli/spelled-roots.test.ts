import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { findRoots } from "./roots.mjs";

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  // That of Node itself leaves capitals as they were given, on disks that do not tell them apart.
  return {
    ...real,
    realpathSync: Object.assign((path: string) => path, { native: real.realpathSync.native }),
  };
});

it("knows a folder as the same in whatever capitals it is named", () => {
  const folder = makeTree({});
  mkdirSync(join(folder, ".claude"));
  // In place of a disk that does not tell capitals apart.
  symlinkSync(join(folder, ".claude"), join(folder, ".CLAUDE"));
  const [one, other] = [".claude", ".CLAUDE"].map((name) =>
    findRoots({ demo: false, claudeDirs: [join(folder, name)], paths: [] }, {}),
  );
  expect(other).toEqual(one);
});

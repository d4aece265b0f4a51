import { fstatSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { FolderStore } from "./folder-store";

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  // As disks of a network do (SMB, 9P), and shared folders of a virtual machine.
  const fsync = (descriptor: number, done: (error: Error | null) => void) => {
    if (!fstatSync(descriptor).isDirectory()) return real.fsync(descriptor, done);
    done(Object.assign(new Error("EINVAL: invalid argument, fsync"), { code: "EINVAL" }));
  };
  return { ...real, fsync };
});

test("a disk that cannot sync folders still keeps what is put on it", async () => {
  const store = new FolderStore(join(makeTree({}), "archive"));
  expect(await store.swapHead("files/ab", null, "one")).toBe(true);
  expect(await store.swapHead("files/ab", "one", "other")).toBe(true);
  expect(store.readHeadSync("files/ab")).toBe("other");
});

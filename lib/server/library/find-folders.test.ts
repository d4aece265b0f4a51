import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { findFolders } from "./find-folders";

vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  // As a number holds the 64 bits by which NTFS tells neighbours apart.
  const stat = async (path: string) => Object.assign(await real.stat(path), { ino: 0x0040_0000_0001_2344 });
  return { ...real, stat };
});

test("folders with equal inode numbers are each searched", async () => {
  const path = makeTree({});
  for (const name of ["one", "other"]) mkdirSync(join(path, "logs", name), { recursive: true });
  const found: string[] = [];
  for await (const folder of findFolders({ path, kind: "loose" }, () => undefined)) found.push(folder.path);
  expect(found).toEqual(["", "logs", "logs/one", "logs/other"].map((name) => join(path, name)));
});

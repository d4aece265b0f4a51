import { cpSync, mkdtempSync, type PathLike, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ArchiveWorker } from "@/lib/server/archive/archive-task";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { fixtureFolder } from "@/lib/testing/recorded";

const opened = vi.hoisted((): string[] => []);

// As Windows 11 (24H2) tells it under libuv 1.49 and 1.50: all 64 bits of a disk's number for a path, 32 for an open file.
vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  const withLongDevice =
    (look: (...args: never[]) => unknown) =>
    (...args: never[]) => {
      const stats = look(...args) as { dev: number } | undefined;
      return stats && Object.assign(stats, { dev: stats.dev + 2 ** 32 });
    };
  return {
    ...real,
    lstatSync: withLongDevice(real.lstatSync),
    statSync: withLongDevice(real.statSync),
    openSync: (path: PathLike, ...rest: never[]) => {
      if (String(path).endsWith(".jsonl")) opened.push(String(path));
      return real.openSync(path, ...(rest as unknown as [string]));
    },
  };
});

test("a system that tells two numbers of a disk has nothing read or kept again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-device-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, "claude");
  cpSync(fixtureFolder("2.1.42"), tree, { recursive: true });
  const roots = [{ path: tree, kind: "config" as const }];
  const scanned = async () => {
    const catalog = new Catalog(roots);
    await catalog.list();
    const index = openLibraryIndex(join(folder, "data"));
    const scans = vi.spyOn(index, "index");
    await new Scanner(catalog, index, new RequestActivity()).run();
    index.stop();
    return scans.mock.calls.length;
  };
  expect(await scanned()).toBeGreaterThan(0);
  expect(await scanned()).toBe(0);
  const archive = new ArchiveWorker({ folder: join(folder, "archive"), roots });
  const openedToKeep = async () => {
    opened.splice(0);
    await archive.do({ kind: "keep", paths: null }, () => undefined);
    return opened.length;
  };
  expect(await openedToKeep()).toBeGreaterThan(0);
  expect(await openedToKeep()).toBe(0);
});

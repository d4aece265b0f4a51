import type * as fs from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";

/** Called before each read of a log. */
const reading = vi.hoisted(() => ({ before: (): void => undefined }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const readSync = ((...args: Parameters<typeof real.readSync>) => {
    reading.before();
    return real.readSync(...args);
  }) as typeof real.readSync;
  return { ...real, readSync };
});

it("a disk that fails for a moment while a log is read costs neither the index nor the session", async () => {
  const data = mkdtempSync(join(tmpdir(), "backscroll-passing-"));
  const catalog = new Catalog([
    { path: makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("read me")] }), kind: "config" },
  ]);
  const index = openLibraryIndex(data);
  const scanner = new Scanner(catalog, index, new RequestActivity(), 1);
  onTestFinished(() => {
    scanner.stop();
    index.stop();
    rmSync(data, { recursive: true, force: true });
  });
  await catalog.list();
  let failed = 0;
  reading.before = () => {
    failed += 1;
    throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
  };
  await scanner.run();
  expect(failed).toBeGreaterThan(0);
  expect(catalog.summaries()).toMatchObject([{ indexed: false, problem: { code: "file-unreadable" } }]);
  expect(index.state).toMatchObject({ mode: "writer", warnings: [] });
  reading.before = () => undefined;
  await expect.poll(() => catalog.summaries()).toMatchObject([{ indexed: true, problem: null }]);
});

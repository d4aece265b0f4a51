import { cpSync, mkdtempSync, type PathLike, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { fixtureFolder } from "@/lib/testing/recorded";
import { indexSession } from "./index-session";
import { OpenIndex } from "./open-index";

const FIXTURE = fixtureFolder("2.0.76");

const windows = vi.hoisted(() => ({ isHeld: false }));

vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  const rmSync = (path: PathLike, ...rest: []) => {
    if (windows.isHeld && String(path).includes("index.db"))
      throw Object.assign(new Error("EBUSY: resource busy"), { code: "EBUSY" });
    real.rmSync(path, ...rest);
  };
  return { ...real, rmSync };
});

it("an index that another viewer writes is only read, even for a request to save", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-index-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, "claude");
  cpSync(FIXTURE, tree, { recursive: true });
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const [session, other] = catalog.summaries().map(({ id }) => catalog.sessionFiles(id));
  if (!session || !other) throw new Error("too few sessions");
  const [writer, reader] = [new OpenIndex(), new OpenIndex()];
  for (const index of [writer, reader]) {
    index.open(folder);
    onTestFinished(() => index.close());
  }
  expect([writer.mode, reader.mode]).toEqual(["writer", "reader"]);
  expect(indexSession(writer.store, await scanRequest(session)).isStored).toBe(true);
  const again = indexSession(reader.store, await scanRequest(other));
  expect(again.isStored).toBe(false);
  expect(again.entry.numbers.turns).toBeGreaterThan(0);
  const rows = reader.store?.paths().map(({ row }) => row) ?? [];
  expect(rows).toHaveLength(1);
  for (const row of rows) reader.store?.forget(row);
  expect(writer.store?.entries()).toHaveLength(1);
});

it("a damaged index that cannot be set aside, since a search has it open on Windows, is retried later", () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-index-"));
  const index = new OpenIndex();
  onTestFinished(() => {
    windows.isHeld = false;
    index.close();
    rmSync(folder, { recursive: true, force: true });
  });
  index.open(folder);
  windows.isHeld = true;
  index.rebuild("a text's checksum is wrong");
  expect(index.state).toMatchObject({ mode: "none", warnings: [{ code: "index-unusable" }] });
  index.open(folder);
  expect(index.mode).toBe("none");
  windows.isHeld = false;
  index.retry();
  index.open(folder);
  expect(index.mode).toBe("writer");
});

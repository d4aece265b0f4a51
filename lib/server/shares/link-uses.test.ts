import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { openShares, shareBody, shopLogs } from "@/lib/testing/opened-shares";
import { LinkUses } from "./link-uses";

const DAY_MS = 86_400_000;
const stored = (dataDir: string): unknown =>
  JSON.parse(readFileSync(join(dataDir, "share-uses.json"), "utf8"));

test("a link says how often it was opened, each page once, also after a restart; nothing says by whom", async () => {
  const { root, dataDir, shares } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody());
  const listed = async (of = shares) => {
    const [{ openings, lastOpenedAtMs } = {}] = await of.list();
    return { openings, lastOpenedAtMs };
  };
  expect(await listed()).toEqual({ openings: 0, lastOpenedAtMs: null });
  const guest = await shares.guest(token);
  // Asked for, and not opened yet.
  expect(await listed()).toEqual({ openings: 0, lastOpenedAtMs: null });
  guest?.opened("page-one");
  guest?.opened("page-one");
  guest?.opened("page-two");
  guest?.opened(null);
  expect(await listed()).toEqual({ openings: 3, lastOpenedAtMs: expect.any(Number) });
  await vi.waitFor(() => expect(stored(dataDir)).toMatchObject([{ openings: 3 }]));
  expect(stored(dataDir)).toEqual([
    { id, openings: 3, lastOpenedAtMs: expect.any(Number), expiresAtMs: expect.any(Number) },
  ]);
  shares.stop();
  const next = (await openShares(root, dataDir)).shares;
  expect(await listed(next)).toMatchObject({ openings: 3 });
  (await next.guest(token))?.opened("page-three");
  expect(await listed(next)).toMatchObject({ openings: 4 });
  await next.revoke(id);
  await vi.waitFor(() => expect(stored(dataDir)).toEqual([]));
});

test("of a link that an earlier version has opened it is not known how often", async () => {
  const { root, dataDir, shares } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  await vi.waitFor(() => expect(stored(dataDir)).toHaveLength(1));
  shares.stop();
  const path = join(dataDir, "shares.json");
  const [share] = JSON.parse(readFileSync(path, "utf8")) as object[];
  writeFileSync(path, JSON.stringify([{ ...share, lastUsedAtMs: Date.now() }]));
  writeFileSync(join(dataDir, "share-uses.json"), "[]");
  const next = (await openShares(root, dataDir)).shares;
  const [listed] = await next.list();
  expect(listed).toMatchObject({ openings: null, lastOpenedAtMs: null, lastUsedAtMs: expect.any(Number) });
  (await next.guest(token))?.opened("page");
  const [opened] = await next.list();
  expect(opened).toMatchObject({ openings: null, lastOpenedAtMs: expect.any(Number) });
});

test.each([
  ["no JSON", "{"],
  ["something else", '[{"id":"x","openings":"many"}]'],
])("counts that cannot be read count as none, and are written anew: %s", async (_name, text) => {
  const dataDir = makeTree({});
  writeFileSync(join(dataDir, "share-uses.json"), text);
  const uses = new LinkUses(dataDir);
  await uses.load();
  expect(uses.of("x")).toBeNull();
  const link = { id: "x", expiresAtMs: Date.now() + DAY_MS };
  uses.begin(link);
  uses.opened(link, null);
  await uses.settled();
  expect(stored(dataDir)).toMatchObject([{ id: "x", openings: 1 }]);
});

test("what another server of the folder has counted stays, and what has expired goes", async () => {
  const dataDir = makeTree({});
  const [one, other] = [new LinkUses(dataDir), new LinkUses(dataDir)];
  const expiresAtMs = Date.now() + DAY_MS;
  one.opened({ id: "a", expiresAtMs }, null);
  await one.settled();
  other.opened({ id: "b", expiresAtMs }, null);
  other.opened({ id: "gone", expiresAtMs: Date.now() - 1 }, null);
  await other.settled();
  expect(stored(dataDir)).toMatchObject([{ id: "b" }, { id: "a" }]);
});

test("without a data folder, or where it cannot be written, openings are counted for this server", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  for (const dataDir of [null, join(makeTree({}), "missing")]) {
    const uses = new LinkUses(dataDir);
    await uses.load();
    uses.begin({ id: "a", expiresAtMs: Date.now() + DAY_MS });
    uses.opened({ id: "a", expiresAtMs: Date.now() + DAY_MS }, "page");
    await uses.settled();
    expect(uses.of("a")?.openings).toBe(1);
  }
  expect(logged).not.toHaveBeenCalled();
});

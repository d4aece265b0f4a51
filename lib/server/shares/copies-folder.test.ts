import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import { uuid } from "@/lib/testing/log-tree";
import { guestLibrary, openShares, shareBody, shopLogs } from "@/lib/testing/opened-shares";
import { SHARE_TIMES } from "@/lib/wire/shares";

test("nothing is left of a revoked link, even if its index was being written", async () => {
  let copy = "";
  const { shares } = await openShares(shopLogs(), undefined, async (data) => {
    copy = dirname(data);
    await new Promise((turn) => setImmediate(turn));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "index.db"), "its texts");
  });
  const { id } = await shares.create(shareBody());
  await shares.revoke(id);
  await expect.poll(() => copy).not.toBe("");
  // Two turns: one in which the index is written, and one after it.
  for (let turns = 0; turns < 2; turns++) await new Promise((turn) => setImmediate(turn));
  expect(existsSync(copy)).toBe(false);
});

test("copies of a killed server are removed by the next one, even if nothing is shared any more", async () => {
  const namespace = pidNamespace();
  // Pid 999999999 is nobody's here; in another container that shares the folder it may be a server's.
  const left = mkdtempSync(join(tmpdir(), `backscroll-shares-999999999${namespace ? `.${namespace}` : ""}-`));
  const others = mkdtempSync(join(tmpdir(), "backscroll-shares-999999999.1-"));
  // The time of every link that was made there is over, in whatever container; the pid may be another process's by now.
  const old = ["999999999.1", "999999999", `${process.ppid}${namespace ? `.${namespace}` : ""}`].map((of) =>
    mkdtempSync(join(tmpdir(), `backscroll-shares-${of}-`)),
  );
  const longAgo = new Date(Date.now() - SHARE_TIMES.most - 60_000);
  for (const folder of old) utimesSync(folder, longAgo, longAgo);
  onTestFinished(() => {
    for (const folder of [left, others, ...old]) rmSync(folder, { recursive: true, force: true });
  });
  const { shares } = await openShares(shopLogs());
  expect(await shares.list()).toEqual([]);
  expect([left, others, ...old].map((folder) => existsSync(folder))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("a missing session cannot be shared, and copies are removed with their server", async () => {
  const { shares } = await openShares(shopLogs());
  await expect(shares.create(shareBody({ sessionId: uuid(9) }))).rejects.toMatchObject({
    code: "session-not-found",
  });
  const { token } = await shares.create(shareBody());
  const { logs } = await guestLibrary(shares, token);
  expect(readdirSync(join(logs, "projects"))).toEqual(["-home-user-1-shop"]);
  shares.stop();
  expect(existsSync(dirname(dirname(logs)))).toBe(false);
});

test("a server that ends its shares takes its folder along, and leaves nothing to do when the process exits", async () => {
  const before = process.listenerCount("exit");
  const { shares } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  const { logs } = await guestLibrary(shares, token);
  expect(process.listenerCount("exit")).toBe(before + 1);
  shares.stop();
  expect(existsSync(logs)).toBe(false);
  await vi.waitFor(() => expect(process.listenerCount("exit")).toBe(before));
  expect(existsSync(dirname(dirname(logs)))).toBe(false);
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { guestPrompts, openShares, shareBody, shopLogs } from "@/lib/testing/opened-shares";
import { SHARE_TIMES } from "@/lib/wire/shares";

test("if the revocation of a link cannot be stored, it has ended, and the owner is told", async () => {
  const { dataDir, shares } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody());
  rmSync(dataDir, { recursive: true });
  await expect(shares.revoke(id)).rejects.toMatchObject({
    ...{ code: "share-unwritable", message: expect.stringContaining("opens again") },
    hint: expect.stringContaining("data folder"),
  });
  expect(await shares.guest(token)).toBeNull();
  await expect(shares.create(shareBody())).rejects.toMatchObject({
    ...{
      code: "share-unwritable",
      message: expect.stringContaining("was not created"),
      path: expect.stringMatching(/shares\.json$/),
    },
    hint: expect.stringContaining("data folder"),
  });
});

test("a link that was taken back while the disk was full does not open after a restart", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { root, dataDir, shares } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody());
  const path = join(dataDir, "shares.json");
  const stored = readFileSync(path, "utf8");
  rmSync(dataDir, { recursive: true });
  await expect(shares.revoke(id)).rejects.toMatchObject({ code: "share-unwritable" });
  mkdirSync(dataDir);
  writeFileSync(path, stored);
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(readFileSync(path, "utf8")).toBe("[]"));
  shares.stop();
  expect(await (await openShares(root, dataDir)).shares.guest(token)).toBeNull();
});

test("links outlive their server, expired ones do not", async () => {
  const root = shopLogs();
  const first = await openShares(root);
  const { token } = await first.shares.create(
    shareBody({ except: ["email 2"], expiresInMs: SHARE_TIMES.most }),
  );
  const gone = await first.shares.create(shareBody());
  first.shares.stop();
  const path = join(first.dataDir, "shares.json");
  const stored = JSON.parse(readFileSync(path, "utf8")) as { id: string; expiresAtMs: number }[];
  for (const share of stored) if (share.id === gone.id) share.expiresAtMs = Date.now() - 1;
  writeFileSync(path, JSON.stringify(stored));
  const { shares } = await openShares(root, first.dataDir);
  expect((await guestPrompts(shares, token))[1]).toBe("ask [email 1] and bo@heronmail.org");
  expect(await shares.guest(gone.token)).toBeNull();
  expect(await shares.guest("share~invented")).toBeNull();
});

test.each([
  ["a byte that flipped", (text: string) => `${text.slice(0, 9)}\0${text.slice(10)}`, 0],
  ["half of it", (text: string) => text.slice(0, text.length / 2), 0],
  ["another shape", () => '{"shares":[]}', 0],
  ["one link of another shape", (text: string) => text.replace('"redact":true', '"redact":"yes"'), 1],
])(
  "links of which the file is damaged are told of, and what is left of it stays: %s",
  async (_, damage, left) => {
    const root = shopLogs();
    const first = await openShares(root);
    for (let n = 0; n < 2; n++) await first.shares.create(shareBody());
    first.shares.stop();
    const path = join(first.dataDir, "shares.json");
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const { shares, lost } = await openShares(root, first.dataDir);
    expect(await shares.list()).toHaveLength(left);
    expect(lost).toEqual([expect.objectContaining({ code: "shares-damaged", path })]);
    await shares.create(shareBody());
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(damaged);
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveLength(left + 1);
  },
);

test("a second server of the data folder loses no links of the first, and what either takes back stays so", async () => {
  const root = shopLogs();
  const first = await openShares(root);
  const [one, two] = [await first.shares.create(shareBody()), await first.shares.create(shareBody())];
  const second = await openShares(root, first.dataDir);
  const three = await second.shares.create(shareBody());
  const four = await first.shares.create(shareBody());
  await second.shares.revoke(one.id);
  await first.shares.revoke(two.id);
  expect(await first.shares.guest(one.token)).toBeNull();
  for (const { shares } of [first, second]) shares.stop();
  const { shares } = await openShares(root, first.dataDir);
  expect((await shares.list()).map(({ id }) => id).sort()).toEqual([three.id, four.id].sort());
});

test("a file of links that was removed under a server is written again", async () => {
  const root = shopLogs();
  const first = await openShares(root);
  const { id, token } = await first.shares.create(shareBody());
  rmSync(first.dataDir, { recursive: true });
  mkdirSync(first.dataDir);
  await first.shares.create(shareBody());
  expect(await first.shares.guest(token)).not.toBeNull();
  expect(readFileSync(join(first.dataDir, "shares.json"), "utf8")).toContain(id);
});

test("the next server knows that a link was opened", async () => {
  const root = shopLogs();
  const first = await openShares(root);
  const { token } = await first.shares.create(shareBody());
  await guestPrompts(first.shares, token);
  const stored = () => readFileSync(join(first.dataDir, "shares.json"), "utf8");
  await vi.waitFor(() => expect(stored()).toMatch(/"lastUsedAtMs":\d/));
  first.shares.stop();
  const { shares } = await openShares(root, first.dataDir);
  expect((await shares.list())[0]?.lastUsedAtMs).toBeGreaterThan(0);
});

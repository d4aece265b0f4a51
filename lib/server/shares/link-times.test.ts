import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type GuestLibrary,
  guestPrompts,
  openShares,
  SHARED_SECRET,
  shareBody,
  shopLogs,
} from "@/lib/testing/opened-shares";
import { SHARE_TIMES } from "@/lib/wire/shares";
import type { Guest } from "./shares";

test("what nobody reads for ten minutes is closed, also of a link that was never opened, and opens again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares, disposed } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  vi.advanceTimersByTime(599_000);
  expect(disposed()).toBe(0);
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(disposed()).toBe(1));
  expect((await guestPrompts(shares, token)).length).toBe(2);
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
  const leave = guest.follow();
  vi.advanceTimersByTime(3_600_000 - 1);
  leave();
  vi.advanceTimersByTime(599_000);
  expect(disposed()).toBe(1);
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(disposed()).toBe(2));
  expect(await guest.redact(SHARED_SECRET)).toBe("[github-token 1]");
  vi.advanceTimersByTime(600_000);
  await vi.waitFor(() => expect(disposed()).toBe(3));
});

test("a link expires by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { dataDir, shares } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody({ expiresInMs: 60_000 }));
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
  vi.advanceTimersByTime(59_000);
  expect(await shares.guest(token)).not.toBeNull();
  vi.advanceTimersByTime(1_001);
  expect(await shares.guest(token)).toBeNull();
  expect(await shares.list()).toEqual([]);
  await vi.waitFor(() => expect(guest.signal.aborted).toBe(true));
  await vi.waitFor(() => expect(readFileSync(join(dataDir, "shares.json"), "utf8")).not.toContain(id));
});

test("a link expires for its current readers, even if the machine slept or its clock was set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares } = await openShares(shopLogs());
  const guestFor = async (expiresInMs: number) => {
    const { token } = await shares.create(shareBody({ expiresInMs }));
    return (await shares.guest(token)) as Guest<GuestLibrary>;
  };
  const slept = await guestFor(SHARE_TIMES.most);
  // Timers stand still while a machine sleeps.
  vi.setSystemTime(Date.now() + SHARE_TIMES.most);
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(() => expect(slept.signal.aborted).toBe(true));
  const setBack = await guestFor(60_000);
  vi.setSystemTime(Date.now() - 86_400_000);
  vi.advanceTimersByTime(60_001);
  await vi.waitFor(() => expect(setBack.signal.aborted).toBe(true));
});

test("a link that was made while the clock was a year ahead is open for as long as was asked, not for the year too", async () => {
  const root = shopLogs();
  const first = await openShares(root);
  const { token } = await first.shares.create(shareBody({ expiresInMs: 60_000 }));
  first.shares.stop();
  const path = join(first.dataDir, "shares.json");
  const stored = JSON.parse(readFileSync(path, "utf8")) as { createdAtMs: number; expiresAtMs: number }[];
  for (const share of stored) {
    share.createdAtMs += 365 * 86_400_000;
    share.expiresAtMs += 365 * 86_400_000;
  }
  writeFileSync(path, JSON.stringify(stored));
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares } = await openShares(root, first.dataDir);
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
  expect(guest.signal.aborted).toBe(false);
  vi.advanceTimersByTime(60_001);
  await vi.waitFor(() => expect(guest.signal.aborted).toBe(true));
});

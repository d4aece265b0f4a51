import { get } from "node:http";
import { expect, type Page } from "@playwright/test";
import { EventReader, type ReadEvent } from "@/lib/client/connection/event-reader";
import type { LiveEvent } from "../lib/wire/live";
import { type CuttingProxy, startCuttingProxy } from "./support/cutting-proxy";
import { setHidden } from "./support/hidden-tab";
import { serveLive } from "./support/live-server";
import { test } from "./support/test";

/** Another way to the server, on which its answers can be cut off. */
let proxy: CuttingProxy;

const live = serveLive(async () => {
  proxy = await startCuttingProxy(() => live.server.url);
  return { args: ["--allow-host", new URL(proxy.url).host] };
});
test.afterAll(() => proxy.stop());

test("across a server restart no line is missing or doubled", async ({ page }) => {
  await live.startOwn();
  const session = await live.open(page, "?follow=1");
  // Requests made in the second after this find no live.server.
  live.writer.say("Written just before");
  await expect(session.thread.getByText("Written just before")).toBeInViewport();
  const following = page.getByRole("contentinfo").getByText("Following");
  await expect(following).toBeVisible();
  live.kill();
  await expect(page.getByText(/Disconnected since/)).toBeVisible();
  // What was known last is not told as if it were still so.
  await expect(following).toHaveCount(0);
  live.writer.say("Written while nobody listened");
  await live.startAgain();
  await expect(session.thread.getByText("Written while nobody listened")).toBeInViewport();
  live.writer.say("And after that");
  await expect(session.thread.getByText("And after that")).toBeInViewport();
  await expect(session.thread.getByText("Written while nobody listened")).toHaveCount(1);
  await expect(page.getByText(/Disconnected since/)).toHaveCount(0);
});

test("a network failure is shown, and missed lines arrive after it", async ({ page }) => {
  try {
    const session = await openBehindProxy(page);
    proxy.setDown(true);
    live.writer.say("Written without a network");
    await expect(page.getByText(/Disconnected since/)).toBeVisible();
    await expect(session.thread.getByText("Written without a network")).toHaveCount(0);
    proxy.setDown(false);
    await expect(session.thread.getByText("Written without a network")).toBeInViewport();
    await expect(session.thread.getByText("Written without a network")).toHaveCount(1);
    await expect(page.getByText(/Disconnected since/)).toHaveCount(0);
  } finally {
    proxy.setDown(false);
  }
});

/** Opens the session in a page that reaches its server through the proxy. */
const openBehindProxy = (page: Page) => live.open(page, "?follow=1", proxy.url);

test("a sleeping tab holds no stream, and gets each missed line once when it wakes up", async ({ page }) => {
  const session = await live.open(page, "?follow=1");
  const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/events"));
  await setHidden(page, true);
  await ended;
  for (let n = 1; n <= 3; n++) live.writer.say(`Written while it slept, ${n}`);
  const resumed = page.waitForRequest((request) => request.url().includes("/api/events"));
  await setHidden(page, false);
  expect(new URL((await resumed).url()).searchParams.get("since")).toMatch(/^[^:]+:\d+\.\d+$/);
  for (let n = 1; n <= 3; n++) {
    await expect(session.thread.getByText(`Written while it slept, ${n}`)).toBeInViewport();
    await expect(session.thread.getByText(`Written while it slept, ${n}`)).toHaveCount(1);
  }
  live.writer.say("And after it woke");
  await expect(session.thread.getByText("And after it woke")).toBeInViewport();
});

test("a page whose stream is cut at any byte shows each line once", async ({ page }) => {
  const lines = Array.from({ length: 24 }, (_, n) => `Cut line ${n + 1}.`);
  const before = proxy.cuts();
  proxy.cutWithin(3_000);
  try {
    const session = await openBehindProxy(page);
    for (const line of lines) {
      live.writer.say(line);
      // The pace of a client: written at once they would come in one piece, which is cut once.
      await page.waitForTimeout(150);
    }
    await expect(session.thread.getByText(lines.at(-1) ?? "")).toBeInViewport();
    expect(proxy.cuts() - before).toBeGreaterThan(2);
    const shown = () => session.rows.filter({ hasText: "Cut line" }).allInnerTexts();
    await expect
      .poll(async () => (await shown()).map((text) => /Cut line \d+\./.exec(text)?.[0]))
      .toEqual(lines);
  } finally {
    proxy.cutWithin(Number.POSITIVE_INFINITY);
  }
});

test("a stream that is cut anywhere resumes where it was", async () => {
  let since: string | null = null;
  let resets = 0;
  for (let cut = 0; cut < 12; cut++) {
    const line = `Cut ${cut}.`;
    // The session's state may tell the line before its thread does.
    const isTold = (told: Told) => told.some(({ id }) => id !== null) && JSON.stringify(told).includes(line);
    const told = await readUntil(isTold, since, 400 + ((cut * 1_371) % 5_000), () => live.writer.say(line));
    for (const { id, event } of told) {
      since = id ?? since;
      if (event.kind === "reset") resets += 1;
    }
  }
  expect(since).toMatch(/^[^:]+:\d+\.\d+$/);
  expect(resets).toBe(0);
  expect(await resumed("1a-2b-nonsense:12.0")).toContain("reset");
  expect(await resumed(since ?? "")).not.toContain("reset");
});

type Told = ReadEvent<LiveEvent>[];

/** Reads the session's stream, calls `begun` with its first bytes, and cuts it after `bytes` bytes, or when all is told. */
function readUntil(
  isAll: (told: Told) => boolean,
  since: string | null,
  bytes: number,
  begun: () => void,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const events = new EventReader<LiveEvent>();
    const told: Told = [];
    let left = bytes;
    const headers = {
      authorization: `Bearer ${live.server.token}`,
      ...(since ? { "last-event-id": since } : {}),
    };
    const request = get(
      `${live.server.url}/api/events?session=${live.sessionId}`,
      { headers, agent: false },
      (answer) => {
        answer.on("error", () => undefined); // the connection was cut
        answer.once("data", begun);
        answer.on("data", (chunk: Buffer) => {
          told.push(...events.take(chunk.subarray(0, left).toString("latin1")));
          left -= chunk.length;
          if (left > 0 && !isAll(told)) return;
          request.destroy();
          resolve(told);
        });
      },
    );
    request.once("error", reject);
  });
}

/** How a stream goes on from a place: the first event with an id tells that. */
async function resumed(since: string): Promise<LiveEvent["kind"][]> {
  const isTold = (told: Told) => told.some(({ id }) => id !== null);
  return (await readUntil(isTold, since, 100_000, () => undefined)).map(({ event }) => event.kind);
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { stopProcess } from "@/lib/testing/stop-process";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { serveLive } from "./support/live-server";
import { builtServer } from "./support/server";
import { steady } from "./support/steady";
import { test } from "./support/test";

const CLI = fileURLToPath(new URL("../bin/backscroll.mjs", import.meta.url));

const live = serveLive();

/** The id and position of the row that is being read. */
async function positionOf(session: SessionPage): Promise<{ id: string; top: number }> {
  return session.thread.evaluate((main) => {
    const middle = main.getBoundingClientRect().top + 240;
    const row = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")].find(
      (one) => one.getBoundingClientRect().top > middle,
    );
    return { id: row?.dataset.recordId ?? "", top: row?.getBoundingClientRect().top ?? 0 };
  });
}

function topOf(session: SessionPage, id: string): Promise<number> {
  return session
    .row(id)
    .first()
    .evaluate((row) => row.getBoundingClientRect().top);
}

test("a reader at the end sees each line as it is written", async ({ page }) => {
  const problems = await watchPolicy(page);
  const session = await live.open(page, "?follow=1");
  for (let n = 1; n <= 5; n++) {
    live.writer.say(`Written just now, ${n}`);
    await expect(session.thread.getByText(`Written just now, ${n}`)).toBeInViewport();
  }
  await expect(session.thread.getByText("Written just now, 3")).toHaveCount(1);
  await expect(page.getByText("Following")).toBeVisible();
  expect(problems).toEqual([]);
});

test("a reader in the middle is not moved, but notified", async ({ page }) => {
  const session = await live.open(page);
  await session.scrollTo(0.5);
  // The rows at the new position render a frame after the scroll.
  await expect.poll(async () => (await positionOf(session)).id).not.toBe("");
  const before = await positionOf(session);
  const refreshed = page.waitForResponse((response) => response.url().includes("/rows?"));
  for (let n = 1; n <= 12; n++) live.writer.say(`Below, ${n}`);
  const pill = page.getByRole("button", { name: "12 new" });
  await expect(pill).toBeVisible();
  await expect(page.getByText("Following")).toHaveCount(0);
  // Content above the new rows is refreshed up to a second later, and drawn in the frame after that.
  await (await refreshed).finished();
  expect(await steady(page, () => topOf(session, before.id))).toBe(before.top);
  // They are as new in another view of the thread.
  const list = await session.thread.elementHandle();
  await session.press("4");
  await expect.poll(() => list?.evaluate((main) => main.isConnected)).toBe(false);
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(session.thread.getByText("Below, 12")).toBeInViewport();
  await expect(pill).toHaveCount(0);
});

test("a line that continues from an earlier prompt notifies a reader and is followed at the end", async ({
  page,
  context,
}) => {
  const reading = await live.open(page);
  await reading.scrollTo(0.5);
  // A tab that is hidden at once would not have heard that its reader left the end.
  await expect.poll(async () => (await positionOf(reading)).id).not.toBe("");
  await expect(page.getByText("Following")).toHaveCount(0);
  const follower = await context.newPage();
  const following = await live.open(follower, "?follow=1");
  await page.bringToFront();
  const before = await positionOf(reading);
  const rewound = new LogWriter(logOf(live.folder.dir, live.sessionId), "root");
  rewound.prompt("Another beginning");
  rewound.say("Said on the other branch");
  await expect(page.getByText(/went on from an earlier prompt/)).toBeVisible();
  await expect(reading.row(before.id).first()).toBeInViewport();
  await follower.bringToFront();
  await expect(following.thread.getByText("Said on the other branch")).toBeInViewport();
});

test("a session that is opened before its first line appears with it", async ({ page }) => {
  const id = "0badf00d-1111-4222-8333-444444444444";
  await page.goto(`${live.server.url}/sessions/${id}#t=${live.server.token}`);
  await expect(page.getByRole("heading", { name: "Session not found" })).toBeVisible();
  new LogWriter(join(dirname(logOf(live.folder.dir, live.sessionId)), `${id}.jsonl`), "root").prompt(
    "The very first words",
  );
  const thread = new SessionPage(page).thread;
  await expect(thread.getByRole("feed").getByText("The very first words")).toBeVisible();
  await expect(page.getByText("Session not found")).toHaveCount(0);
  await expect(page.getByText(/Reconnected after/)).toHaveCount(0);
  const outline = page.getByRole("complementary", { name: "Outline" });
  await expect(outline.getByText("The very first words")).toBeVisible();
});

test("the library and the board show what runs", async ({ page }) => {
  const stream = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`${live.server.url}/#t=${live.server.token}`);
  await stream;
  live.writer.prompt("Go on, please");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${live.sessionId}"]`) });
  await expect(row).toContainText("Thinking");
  await page.goto(`${live.server.url}/now`);
  const tile = page.locator(`article[data-session-id="${live.sessionId}"]`);
  await expect(tile).toContainText("Go on, please");
  live.writer.say("The newest thing said");
  await expect(tile).toContainText("The newest thing said");
});

test("on the board a command that asks for permission is read whole", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1000 });
  const command = `git push --force-with-lease origin release && ${"npm publish --tag next && ".repeat(4)}echo done`;
  live.writer.call("Bash", { command });
  new ClientRegistry(live.folder.dir, live.sessionId).tell("waiting", "permission prompt");
  await page.goto(`${live.server.url}/now#t=${live.server.token}`);
  const asked = page.locator(`article[data-session-id="${live.sessionId}"]`).getByText("git push");
  await expect(asked).toContainText("echo done");
  await expect(asked).toBeInViewport();
  const cut = (one: Element) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
  expect(await asked.evaluate(cut)).toEqual([0, 0]);
});

test("without file watches folders are polled, and the page says so", async ({ page }) => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-watches-"));
  // The limit can be lowered in a user namespace; where those are not allowed, nothing is limited.
  const limited = 'echo 3 > /proc/sys/user/max_inotify_watches 2>/dev/null; exec "$0" "$@"';
  const child = spawn(
    "unshare",
    [
      "-Ur",
      "sh",
      "-c",
      limited,
      process.execPath,
      CLI,
      "--port",
      "0",
      "--no-open",
      "--data-dir",
      dataDir,
      "--claude-dir",
      live.folder.dir,
    ],
    { env: { ...process.env, BACKSCROLL_SERVER: builtServer() }, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [, base, token] = await new Promise<RegExpExecArray>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const found = /(http:\S+)\/#t=(\S+)/.exec(text);
        if (found) resolve(found);
      });
    });
    const session = new SessionPage(page);
    const stream = page.waitForResponse((response) => response.url().includes("/api/events"));
    await page.goto(`${base}/sessions/${live.sessionId}?follow=1#t=${token}`);
    await session.ready();
    await stream;
    live.writer.say("Seen without a watch");
    await expect(session.thread.getByText("Seen without a watch")).toBeInViewport();
    await expect(page.getByText(/polled every 2 s/)).toBeVisible();
    await page.goto(`${base}/`);
    await expect(page.getByText(/folders? (is|are) polled every 2 s/)).toBeVisible();
  } finally {
    await stopProcess(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

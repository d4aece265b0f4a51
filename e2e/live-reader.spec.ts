import { copyFileSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import type { SessionDetail } from "@/lib/wire/session";
import { setHidden } from "./support/hidden-tab";
import { openLive } from "./support/live-folder";
import { serveLive } from "./support/live-server";
import { ask, startServer } from "./support/server";
import { test } from "./support/test";

const live = serveLive();

test("open rows, the selection and find hits stay while lines are written", async ({ page }) => {
  const read = live.writer.call("Read", { file_path: "/home/dev/bench/opened.ts" });
  live.writer.result(read, "export const opened = 1;");
  for (let n = 1; n <= 6; n++) live.writer.say(`Behind it, ${n}`);
  const session = await live.open(page, "?follow=1");
  const row = session.rows.filter({ hasText: "opened.ts" });
  await session.open(row);
  await expect(row.getByText("opened = 1")).toBeVisible();
  await session.rows.filter({ hasText: "Behind it, 2" }).click();
  const focused = await session.focusedRow();
  expect(focused).not.toBeNull();
  await page.getByPlaceholder("Find in session").fill("Behind it");
  await expect(page.getByRole("button", { name: "Next match" })).toBeVisible();
  await page.getByPlaceholder("Find in session").press("Enter");
  await expect(page.getByText("1 of 6")).toBeVisible();
  const selected = session.thread.locator('article[tabindex="0"]');
  await expect(selected).toContainText("Behind it, 1");
  for (let n = 1; n <= 5; n++) {
    live.writer.say(`Written meanwhile, ${n}`);
    await expect(session.thread.getByText(`Written meanwhile, ${n}`)).toBeAttached();
  }
  await expect(row.getByText("opened = 1")).toBeVisible();
  await expect(selected).toContainText("Behind it, 1");
  await expect(page.getByPlaceholder("Find in session")).toHaveValue("Behind it");
  await expect(page.getByText("1 of 6")).toBeVisible();
});

test("rows written since the last visit are marked, once", async ({ page }) => {
  await live.open(page, "?follow=1");
  await expect(page.getByText("new since you last looked")).toHaveCount(0);
  await page.goto(`${live.server.url}/#t=${live.server.token}`);
  await expect(page.getByRole("row").first()).toBeVisible();
  live.writer.say("Written while nobody looked");
  live.writer.say("And this");
  const session = await live.open(page, "?follow=1");
  const mark = session.thread.locator("article", { hasText: "new since you last looked" });
  await expect(mark).toHaveCount(1);
  await expect(mark).toContainText("Written while nobody looked");
  live.writer.say("Written while somebody looks");
  await expect(session.thread.getByText("Written while somebody looks")).toBeInViewport();
  await expect(mark).toHaveCount(1);
  await page.reload();
  await session.ready();
  await expect(mark).toHaveCount(0);
  live.writer.say("Written under the reader’s eyes");
  await expect(session.thread.getByText("Written under the reader’s eyes")).toBeInViewport();
  await expect(mark).toHaveCount(0);
  await setHidden(page, true);
  live.writer.say("Written behind another tab");
  await setHidden(page, false);
  await expect(mark).toContainText("Written behind another tab");
  await expect(mark).toHaveCount(1);
});

test("in an agent's pane what was written since it was last open is marked, whatever was seen of the session", async ({
  page,
}) => {
  const agent = live.writer.startAgent("a1aaaaaaaaaaaaaaa", "Look around");
  agent.say("I look.");
  const withPane = "?panes=agent:a1aaaaaaaaaaaaaaa";
  await live.open(page, withPane);
  const pane = page.getByRole("region", { name: /^Agent / });
  await expect(pane.getByText("I look.")).toBeVisible();
  await expect(pane.getByText("new since you last looked")).toHaveCount(0);
  await pane.getByRole("button", { name: /^Close Agent/ }).click();
  await expect(pane).toHaveCount(0);
  // The session is looked at while its agent writes, in no pane.
  agent.say("Found while the pane is closed");
  agent.say("And this");
  await live.open(page, withPane);
  const mark = pane.locator("article", { hasText: "new since you last looked" });
  await expect(mark).toHaveCount(1);
  await expect(mark).toContainText("Found while the pane is closed");
  agent.say("Found while somebody looks");
  await expect(pane.getByText("Found while somebody looks")).toBeVisible();
  await expect(mark).toHaveCount(1);
  await page.reload();
  await expect(pane.getByText("Found while somebody looks")).toBeVisible();
  await expect(mark).toHaveCount(0);
});

test("without an archive, a log that is truncated, deleted and rewritten is shown in its current state", async ({
  page,
}) => {
  const plain = await startServer({ claudeDirs: [live.folder.dir], args: ["--no-archive"] });
  const elsewhere = mkdtempSync(join(tmpdir(), "backscroll-copy-"));
  try {
    const log = logOf(live.folder.dir, live.sessionId);
    live.writer.startAgent("a1aaaaaaaaaaaaaaa", "Look around").say("I look.");
    // Outside the logs: a copy beside a log is read in its place when the log is gone.
    const copy = join(elsewhere, "log");
    copyFileSync(log, copy);
    const session = await openLive(page, plain, "?follow=1", live.sessionId);
    await expect(session.thread.getByText("Turn 8, line 12")).toBeInViewport();
    truncateSync(log, 40_000);
    await expect(session.thread.getByText("Turn 8, line 12")).toHaveCount(0);
    await expect(session.rows.first()).toBeVisible();
    rmSync(log);
    // The session has an agent, whose log is left. Until the folder is listed, only its own log is known to be gone.
    const gone = page.getByText(
      /This session’s main log is missing|Couldn’t load rows: (This log is no longer there|Session not found)/,
    );
    await expect(gone.first()).toBeVisible();
    copyFileSync(copy, log);
    await expect(gone).toHaveCount(0);
    await expect(session.rows.first()).toBeVisible();
    // A copy is not there at once: the end may be another one a moment later.
    await expect(async () => {
      await session.press("G");
      await expect(session.thread.getByText("Turn 8, line 12")).toBeInViewport({ timeout: 2_000 });
    }).toPass();
    live.writer.say("And it goes on");
    await expect(session.thread.getByText("And it goes on")).toHaveCount(1);
  } finally {
    await plain.stop();
    rmSync(elsewhere, { recursive: true });
  }
});

test("a log that is deleted while it is read stays, marked as kept, and goes on when it is back", async ({
  page,
}) => {
  const log = logOf(live.folder.dir, live.sessionId);
  live.writer.startAgent("b2bbbbbbbbbbbbbbb", "Look around").say("I look.");
  const elsewhere = mkdtempSync(join(tmpdir(), "backscroll-copy-"));
  copyFileSync(log, join(elsewhere, "log"));
  const session = await live.open(page, "?follow=1");
  const last = session.thread.getByText("Turn 8, line 12");
  await expect(last).toBeInViewport();
  await expect.poll(isKept).toBe(true);
  rmSync(log);
  const kept = page.getByText("kept", { exact: true });
  await expect(kept.first()).toBeVisible();
  await expect(last).toBeInViewport();
  copyFileSync(join(elsewhere, "log"), log);
  await expect(kept).toHaveCount(0);
  live.writer.say("And it goes on");
  await expect(session.thread.getByText("And it goes on")).toHaveCount(1);
  rmSync(elsewhere, { recursive: true });
});

async function isKept(): Promise<boolean> {
  return (await ask<SessionDetail>(live.server, `sessions/${live.sessionId}`)).storage === "both";
}

test("a short session that grows while there is room for all of it stays at its beginning", async ({
  page,
}) => {
  const log = logOf(live.folder.dir, live.sessionId);
  rmSync(log);
  const short = new LogWriter(log, "root");
  short.prompt("Read both ends");
  short.say("I read.");
  const session = await live.open(page, "?follow=1");
  for (let n = 1; n <= 6; n++) {
    // Higher than a line, so that the end moves when it is measured.
    short.say(`Line ${n}\n\nand what follows it`);
    await expect(session.thread.getByText(`Line ${n}`)).toBeVisible();
  }
  await expect(page.getByText(/^row 1 of /)).toBeVisible();
  // The prompt's own header, and no other over it.
  await expect(session.thread.getByText("Read both ends")).toHaveCount(1);
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import { SessionPage } from "./pages/session-page";
import { liveFolder, openLive } from "./support/live-folder";
import { type LongSessionServer, serveLongSession } from "./support/serve-long-session";
import { ask, startServer } from "./support/server";
import { test } from "./support/test";

let server: LongSessionServer;

test.beforeAll(async () => {
  server = await serveLongSession();
});
test.afterAll(() => server.stop());

/** A row's top within the list, in pixels. */
function topOf(row: Locator): Promise<number> {
  return row.evaluate((element) => {
    const list = element.closest("[aria-label^=Thread]");
    return Math.round(element.getBoundingClientRect().top - (list?.getBoundingClientRect().top ?? 0));
  });
}

/**
 * Rows are measured over some frames, and again when their content has loaded; the list is another one where other runs
 * are open. Waits until none is loading and none has moved for thirty frames.
 */
function settled({ page }: SessionPage): Promise<void> {
  return page.evaluate(async () => {
    let before = "";
    for (let frames = 0; frames < 30; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const main = document.querySelector('main[aria-label="Thread"]');
      const boxes = [...(main?.querySelectorAll("article") ?? [])].map((row) => row.getBoundingClientRect());
      const now = boxes.map(({ top, height }) => `${top} ${height}`).join();
      if (now === "" || now !== before || main?.querySelector('[aria-busy="true"]')) frames = 0;
      before = now;
    }
  });
}

const heightOf = (row: Locator) => row.evaluate((element) => element.getBoundingClientRect().height);

async function openLong(page: SessionPage["page"]): Promise<SessionPage> {
  const session = await SessionPage.open(page, server, server.longSession);
  await session.scrollTo(0.4);
  return session;
}

test("a row half above the viewport opens downwards, and closes in place", async ({ page }) => {
  // Rows before the first prompt have no turn header above them.
  const id = "5e551011-0000-4000-8000-000000000000";
  const project = join(server.folder, "projects", "-home-dev-bench");
  mkdirSync(project, { recursive: true });
  const writer = new LogWriter(join(project, `${id}.jsonl`), "root");
  const output = "one\ntwo\nthree\nfour\nfive\nsix\nseven";
  for (let n = 1; n <= 60; n++) {
    writer.result(writer.call("Bash", { command: `echo ${n}` }), output);
    writer.result(writer.call("Grep", { pattern: `found-${n}`, output_mode: "content" }), output);
  }
  const session = await SessionPage.open(page, server, id);
  const row = session.rows.filter({ hasText: "echo 20" });
  await session.thread.evaluate((main) => main.scrollTo(0, 24 * 38 + 14));
  await expect(row).toBeInViewport();
  expect(await topOf(row)).toBe(-14);

  for (const shown of [true, false, true]) {
    await row.click({ position: { x: 200, y: 20 } });
    await expect(row.getByText("seven")).toBeVisible({ visible: shown });
    await settled(session);
    expect(await topOf(row)).toBe(-14);
    expect((await heightOf(row)) > 100).toBe(shown);
  }
});

test("keys that open and close keep the row in place, or scroll its line into view", async ({ page }) => {
  const session = await openLong(page);
  const found = await session.openableRowOnScreen();
  const [recordId, block] = [
    await found.getAttribute("data-record-id"),
    await found.getAttribute("data-block"),
  ];
  // Its index changes with the runs that `e` opens.
  const row = session.row(recordId ?? "").and(page.locator(`[data-block="${block}"]`));
  await row.getByRole("button", { name: /^Open /, expanded: false }).click();
  await settled(session);
  await expect(row).toHaveAttribute("tabindex", "0");
  await session.press("o");
  const before = await topOf(row);

  // The whole turn opens, above and below; the contents of runs open with the next press.
  for (const state of ["opened", "opened in runs", "closed"]) {
    await session.press("e");
    await settled(session);
    await expect.poll(() => topOf(row), `after all were ${state}`).toBe(before);
  }

  // Its line is hidden under the sticky header of its turn, and is scrolled out from under it.
  await session.thread.evaluate((main, by) => main.scrollBy(0, by), before - 8);
  await settled(session);
  await expect.poll(() => topOf(row)).toBe(8);
  await session.press("o");
  await settled(session);
  await expect.poll(() => topOf(row)).toBe(32);
  await expect.poll(() => heightOf(row)).toBeGreaterThan(40);

  // The row is read to its end, and closed from there.
  await session.thread.evaluate((main, by) => main.scrollBy(0, by), (await heightOf(row)) + 20);
  await settled(session);
  await session.press("o");
  await settled(session);
  await expect.poll(() => heightOf(row)).toBe(24);
  await expect.poll(() => topOf(row)).toBe(32);
});

test("moving to the row below lands on its line, however tall it is opened", async ({ page }) => {
  const session = await openLong(page);
  const row = await session.openableRowOnScreen();
  await row.getByRole("button", { name: /^Open /, expanded: false }).click();
  await settled(session);
  await page.setViewportSize({ width: 1440, height: 300 });
  expect(await heightOf(row)).toBeGreaterThan(300);
  await session.press("k", "k", "k");
  await session.press("j", "j", "j");
  await settled(session);
  await expect(row).toHaveAttribute("tabindex", "0");
  expect(await topOf(row)).toBeGreaterThanOrEqual(32);
  expect(await topOf(row)).toBeLessThan(200);
});

test("a reload and Back return to the reader's position", async ({ page }) => {
  const session = await openLong(page);
  const position = () =>
    session.thread.evaluate((main) => {
      const edge = main.getBoundingClientRect().top + 60;
      const row = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")].find(
        (one) => one.getBoundingClientRect().top > edge,
      );
      return `${row?.dataset.recordId} ${Math.round((row?.getBoundingClientRect().top ?? 0) - edge)}`;
    });
  await session.thread.evaluate((main) => main.scrollBy(0, 7));
  await settled(session);
  const before = await position();

  await page.reload();
  await session.ready();
  await expect.poll(position).toBe(before);

  await page.getByRole("link", { name: "Library" }).click();
  await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
  await page.goBack();
  await session.ready();
  await expect.poll(position).toBe(before);

  // Opening it anew starts at the first prompt.
  await page.goForward();
  await page.locator(`a[href*="${server.longSession}"]`).first().click();
  await session.ready();
  await expect(page.getByText("turn 1 of")).toBeVisible();
});

test("a row opened at the followed end stays in place, and following resumes from there", async ({
  page,
}) => {
  const live = liveFolder();
  const lines = Array.from({ length: 30 }, (_, n) => `output ${n}`).join("\n");
  live.writer.result(live.writer.call("Bash", { command: "npm run report" }), lines);
  const own = await startServer({ claudeDirs: [live.dir] });
  try {
    const session = await openLive(page, own, "?follow=1");
    const row = session.rows.filter({ hasText: "npm run report" });
    await expect(row).toBeInViewport();
    const before = await topOf(row);
    await session.open(row);
    await settled(session);
    expect(await topOf(row)).toBe(before);
    live.writer.say("Said while he reads");
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
    expect(await topOf(row)).toBe(before);

    await page.getByRole("button", { name: "1 new" }).click();
    await expect(session.thread.getByText("Said while he reads")).toBeInViewport();
    live.writer.say("Followed again");
    await expect(session.thread.getByText("Followed again")).toBeInViewport();
  } finally {
    await own.stop();
    live.remove();
  }
});

test("a ticket opens one browser, once, and leaves the address", async ({ browser }) => {
  const asked = { method: "POST", body: { path: "/api/token" } };
  const { ticket } = await ask<{ ticket: string }>(server, "tickets", asked);
  const openWith = async () => (await browser.newContext()).newPage();
  const page = await openWith();
  await page.goto(`${server.url}/sessions/${server.longSession}#ticket=${ticket}`);
  const session = new SessionPage(page);
  await session.ready();
  expect(page.url()).not.toContain("ticket");
  await page.reload();
  await session.ready();
  const late = await openWith();
  await late.goto(`${server.url}/#ticket=${ticket}`);
  await expect(late.getByRole("heading", { name: "Open Backscroll with its link" })).toBeVisible();
  await Promise.all([page.context().close(), late.context().close()]);
});

test("a session's first rows are asked for before the page's own code is there, and once", async ({
  page,
}) => {
  const asked: string[] = [];
  let onRows = () => {};
  const rowsAsked = new Promise<void>((resolve) => {
    onRows = resolve;
  });
  page.on("request", (request) => {
    if (!request.url().includes("/rows?")) return;
    asked.push(request.url());
    onRows();
  });
  // Held until then, as on a machine that takes long to load it.
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await rowsAsked;
    await route.continue();
  });
  const session = await SessionPage.open(page, server, server.longSession);
  await expect(session.rows.first()).toBeInViewport();
  expect(asked).toHaveLength(1);
});

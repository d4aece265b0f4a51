import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { violationsIn } from "./support/accessibility";
import { CallLog } from "./support/call-log";
import { startServer, type TestServer } from "./support/server";
import { steady } from "./support/steady";
import { test } from "./support/test";
import { watchRequests } from "./support/watch-requests";

const SESSION = "10000000-0000-4000-8000-000000000001";

let folder: string;
let server: TestServer;
let log: CallLog;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-runs-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  log = new CallLog(join(project, `${SESSION}.jsonl`));
  log.prompt("Read it all");
  for (let n = 1; n <= 14; n++) log.read(`file-${n}.ts`);
  log.say("That was the first part.");
  for (let n = 1; n <= 3; n++) log.read(`more-${n}.ts`);
  log.read("gone.ts", "File does not exist.");
  for (let n = 1; n <= 3; n++) log.read("again.ts");
  log.say("All read.");
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function openSession(page: Page, query = ""): Promise<SessionPage> {
  return SessionPage.open(page, server, `${SESSION}${query}`);
}

const run = (session: SessionPage, words: string) =>
  session.rows
    .filter({ hasText: words })
    .filter({ has: session.page.getByRole("button", { name: /^(Open|Close) / }) });

test("adjacent calls are one row that opens and closes in place, by keys too, and for a hit and a link in it", async ({
  page,
}) => {
  const problems = await watchPolicy(page);
  const session = await openSession(page);
  const reads = run(session, "14 files");
  await expect(reads).toContainText("Read");
  await expect(reads).toContainText("file-1.ts, file-2.ts");
  await expect(session.rows.filter({ hasText: "file-9.ts" })).toHaveCount(0);
  // The failed call is a row of its own between two runs.
  await expect(session.rows.filter({ hasText: "gone.ts" })).toContainText("File does not exist");
  await expect(run(session, "3 files")).toHaveCount(1);
  await expect(run(session, "3 times, 1 file")).toContainText("again.ts");

  const top = (await reads.boundingBox())?.y;
  await reads.getByRole("button", { name: /^Open /, expanded: false }).click();
  await expect(session.rows.filter({ hasText: "file-9.ts" })).toBeVisible();
  await expect(page).toHaveURL(/runs=/);
  expect((await reads.boundingBox())?.y).toBe(top);
  expect(await violationsIn(page)).toEqual([]);
  await reads.getByRole("button", { name: /^Close /, expanded: true }).click();
  await expect(session.rows.filter({ hasText: "file-9.ts" })).toHaveCount(0);
  expect((await reads.boundingBox())?.y).toBe(top);
  expect(problems).toEqual([]);

  await test.step("the keys open a run, move through it and close it, and the focus stays", async () => {
    await session.press("g", "g");
    await expect.poll(() => session.focusedRow()).toBe(0);
    await session.press("j");
    await expect.poll(() => session.focusedRow()).toBe(1);
    await session.press("o");
    await expect(session.rows.filter({ hasText: "file-9.ts" })).toBeVisible();
    await expect.poll(() => session.focusedRow()).toBe(1);
    await session.press("j", "j");
    await expect.poll(() => session.focusedRow()).toBe(3);
    await session.press("k", "k", "Enter");
    await expect(session.rows.filter({ hasText: "file-9.ts" })).toHaveCount(0);
    await expect.poll(() => session.focusedRow()).toBe(1);
  });

  await test.step("the outline does not change while a run opens", async () => {
    const outline = page.getByRole("complementary", { name: "Outline" });
    const entry = outline.getByRole("button", { name: /Read it all/ }).first();
    await expect(entry).toBeVisible();
    await entry.evaluate((element) => element.setAttribute("data-seen", "before"));
    const allRead = watchRequests(page);
    await run(session, "14 files")
      .getByRole("button", { name: /^Open /, expanded: false })
      .click();
    await expect(session.rows.filter({ hasText: "file-9.ts" })).toBeVisible();
    await allRead();
    await expect(outline.locator("[data-seen=before]")).toBeVisible();
    await reads.getByRole("button", { name: /^Close /, expanded: true }).click();
    await expect(session.rows.filter({ hasText: "file-9.ts" })).toHaveCount(0);
  });

  await test.step("a find hit is never inside a folded run", async () => {
    await expect(run(session, "14 files")).toBeVisible();
    await session.press("/");
    await page.keyboard.type("file-9.ts");
    await expect(session.rows.filter({ hasText: "file-9.ts" })).toBeVisible();
    await expect(run(session, "14 files")).toHaveCount(0);
    await session.press("Enter");
    await expect(session.rows.filter({ hasText: "file-9.ts" }).first()).toHaveAttribute("tabindex", "0");
  });

  await test.step("a link to a call inside a run opens the run", async () => {
    const ninth = session.rows.filter({ hasText: "file-9.ts" });
    const recordId = await ninth.getAttribute("data-record-id");
    await page.goto("about:blank");
    await openSession(page, `?at=${recordId}.0`);
    await expect(session.row(recordId ?? "")).toContainText("file-9.ts");
    await expect(session.row(recordId ?? "")).toHaveAttribute("tabindex", "0");
  });
});

test("a setting gives every call its own row", async ({ page }) => {
  const session = await openSession(page);
  await expect(run(session, "14 files")).toBeVisible();
  await session.press(",");
  await page
    .getByRole("group", { name: "Runs of the same tool" })
    .getByRole("button", { name: "Expanded" })
    .click();
  await session.press("Escape");
  await expect(session.rows.filter({ hasText: "file-9.ts" })).toBeVisible();
  await expect(run(session, "14 files")).toHaveCount(0);
});

// These go on with the log, one behind the other.
for (const [position, file] of [
  ["in a thread that fits the screen", "late"],
  ["at the end of a long one", "latest"],
]) {
  test(`a run grows as calls are written, and nothing else moves: ${position}`, async ({ page }) => {
    if (position === "at the end of a long one")
      for (let n = 1; n <= 60; n++) log.say(`Line ${n} of a long thread.`);
    for (let n = 1; n <= 3; n++) log.read(`${file}-${n}.ts`);
    const streams = page.waitForResponse((response) => response.url().includes("/api/events"));
    const session = await openSession(page);
    await streams;
    await session.press("G");
    const last = session.rows.filter({ hasText: `${file}-1.ts` });
    await expect(last).toContainText("3 files");
    const tops = () =>
      session.rows.evaluateAll((rows) =>
        rows.flatMap((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return bottom > 0 && top < innerHeight
            ? `${(row as HTMLElement).dataset.index} ${Math.round(top)}`
            : [];
        }),
      );
    const before = await steady(page, tops);
    log.read(`${file}-4.ts`);
    await expect(last).toContainText("4 files");
    expect(await steady(page, tops)).toEqual(before);
    for (const n of [5, 6]) {
      log.call(`${file}-${n}.ts`);
      await expect(session.rows.filter({ hasText: `${file}-${n}.ts` })).toBeVisible();
      const running = await steady(page, tops);
      log.answer();
      await expect(last).toContainText(`${n} files`);
      // Everything but the call's own row, which is part of the run now.
      expect(await steady(page, tops)).toEqual(running.slice(0, -1));
    }
  });
}

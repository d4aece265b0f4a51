import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import { SessionPage } from "./pages/session-page";
import { CallLog } from "./support/call-log";
import { copiedBy } from "./support/clipboard";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

// What is found, what is selected, where the reader is, Back and a shared link are one state: whatever happens to
// the thread, they go on to mean the same row.

const SESSION = "10000000-0000-4000-8000-000000000002";
/** From a line on disk to the row on screen. */
const LIVE_MS = 10_000;

let folder: string;
let path: string;
let server: TestServer;
let log: CallLog;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-one-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  path = join(project, `${SESSION}.jsonl`);
  log = new CallLog(path);
  for (let turn = 1; turn <= 6; turn++) {
    log.prompt(`Prompt ${turn}`);
    for (let n = 1; n <= 6; n++) log.read(`turn-${turn}-file-${n}.ts`);
    log.say(`Answer ${turn} about the lighthouse.`);
  }
  log.read("last-1.ts");
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function openSession(page: Page, query = ""): Promise<SessionPage> {
  const session = new SessionPage(page);
  const streams = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`${server.url}/sessions/${SESSION}${query}#t=${server.token}`);
  await session.ready();
  await streams;
  return session;
}

const selected = (session: SessionPage) => session.thread.locator('article[tabindex="0"]');
const rowSaying = (session: SessionPage, words: string) => session.rows.filter({ hasText: words }).first();

/** Selects the row that says this, and answers its record. */
async function select(session: SessionPage, words: string): Promise<string> {
  const row = rowSaying(session, words);
  await row.click({ position: { x: 200, y: 8 } });
  await expect(selected(session)).toContainText(words);
  return (await row.getAttribute("data-record-id")) ?? "";
}

async function expectSelected(session: SessionPage, recordId: string): Promise<void> {
  await expect(selected(session)).toHaveCount(1);
  await expect(selected(session)).toHaveAttribute("data-record-id", recordId);
}

/** The link that `y` copies: of the selected row. */
async function copiedLink(session: SessionPage): Promise<string> {
  return copiedBy(session.page, () => session.press("y"));
}

// Each goes on with the log that the one before has left.

test("a call that is taken in by a run is selected in the run", async ({ page }) => {
  const session = await openSession(page);
  await session.press("G");
  await select(session, "last-1.ts");
  for (let n = 2; n <= 4; n++) log.read(`last-${n}.ts`);
  await expect(rowSaying(session, "4 files")).toBeVisible({ timeout: LIVE_MS });
  await expect(selected(session)).toContainText("4 files");
});

test("the selected row stays what it is while rows come, runs grow and the view changes", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await openSession(page);
  await session.press("G");
  const answer = await select(session, "Answer 6");

  log.say("Written just now");
  await expect(session.thread.getByText("Written just now")).toBeVisible({ timeout: LIVE_MS });
  await expectSelected(session, answer);

  for (const detail of ["everything", "conversation", "tools"]) {
    await session.press({ everything: "4", conversation: "2", tools: "3" }[detail] ?? "");
    await expect(page).toHaveURL(new RegExp(`detail=${detail}`));
    await expectSelected(session, answer);
    await expect(selected(session)).toBeInViewport();
  }

  // Where a run folds the calls above, its index is another.
  for (let n = 2; n <= 6; n++) log.read(`last-${n}.ts`);
  await expect(rowSaying(session, "5 files")).toBeVisible({ timeout: LIVE_MS });
  await expectSelected(session, answer);

  const link = new URL(await copiedLink(session));
  expect(link.searchParams.get("at")).toBe(`${answer}.0`);
  await page.goto("about:blank");
  const again = await openSession(page, link.search);
  await expectSelected(again, answer);
  await expect(selected(again)).toBeInViewport();
});

test("a hit, its row, the address and a shared link agree, and Back from the changes leads to it", async ({
  page,
}) => {
  const session = await openSession(page);
  await session.press("/");
  await page.keyboard.type("lighthouse");
  const find = page.getByRole("searchbox", { name: "Find in session" });
  await expect(page.getByRole("status").filter({ hasText: /^6$/ })).toBeVisible({ timeout: LIVE_MS });
  await find.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "1 of 6" })).toBeVisible();
  await expect(selected(session)).toContainText("Answer 1");
  await find.press("Enter");
  await find.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "3 of 6" })).toBeVisible();
  await expect(selected(session)).toContainText("Answer 3");
  await expect(selected(session)).toBeInViewport();
  const hit = (await selected(session).getAttribute("data-record-id")) ?? "";
  await expect(page).toHaveURL(new RegExp(`at=${hit}`));
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

  // A pane beside it, and another view of the thread.
  await session.press("i");
  await expect(page).toHaveURL(/panes=record/);
  await expectSelected(session, hit);
  await session.press("4");
  await expect(page).toHaveURL(/detail=everything/);
  await expectSelected(session, hit);
  await expect(page.getByRole("status").filter({ hasText: "3 of 6" })).toBeVisible();
  await session.press("Escape");
  await expect(page).not.toHaveURL(/panes=/);
  await expectSelected(session, hit);

  await session.press("D");
  await expect(page.getByRole("region", { name: "Changes" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Changes" })).toHaveCount(0);
  await expectSelected(session, hit);
  await expect(selected(session)).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`at=${hit}`));

  const shared = new URL(page.url()).search;
  await page.goto("about:blank");
  const again = await openSession(page, shared);
  await expectSelected(again, hit);
  await expect(page.getByRole("status").filter({ hasText: "3 of 6" })).toBeVisible({ timeout: LIVE_MS });
});

test("another branch begins at its fork, which is selected, and a link leads back to it", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const other = new LogWriter(path, "root");
  other.prompt("Another beginning");
  other.say("On the other branch");
  const session = await openSession(page);
  await expect(rowSaying(session, "On the other branch")).toBeVisible();
  const fork = session.rows.filter({ hasText: "Prompt 1" }).first();
  await expect(fork).toBeVisible();
  await fork
    .getByRole("button", { name: /Prompt 1/ })
    .first()
    .click();
  await expect(page).toHaveURL(/branch=/);
  await expect(rowSaying(session, "turn-1-file-1.ts")).toBeVisible();
  await session.press("j", "j");
  const record = (await selected(session).getAttribute("data-record-id")) ?? "";
  const link = new URL(await copiedLink(session));
  expect(link.searchParams.get("branch")).not.toBeNull();
  await page.goto("about:blank");
  const again = await openSession(page, link.search);
  await expectSelected(again, record);
});

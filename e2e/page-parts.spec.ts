import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, type Route, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { startServer, type TestServer } from "./support/server";

/** A text of each part of a session's page that is loaded by itself: views, panes, dialogs. */
const PARTS = ["Steps by time", "Rebuilt from the records", "Commits and pull requests"];
/** The longest of the samples. */
const SESSION = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
const CHUNKS = "**/_next/static/chunks/*.js";

let dataDir: string;
let server: TestServer;

test.beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "backscroll-test-"));
  server = await startServer({ dataDir });
});
test.afterEach(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The server again, where it was. */
async function restart(): Promise<void> {
  const { port } = new URL(server.url);
  server = await startServer({ dataDir, args: ["--demo", "--port", port] });
}

/** A browser that is never idle: what is loaded was asked for. */
async function neverIdle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** A session with its rows and its facts, without which it has no dialogs. */
async function open(page: Page, query = ""): Promise<SessionPage> {
  const session = await SessionPage.open(page, server, SESSION + query);
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
  return session;
}

/** Which of these parts the page has loaded. */
async function loadedParts(page: Page): Promise<string[]> {
  const sources = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLScriptElement>("script[src]")].map(({ src }) => src),
  );
  const texts = await Promise.all(sources.map(async (source) => (await fetch(source)).text()));
  return PARTS.filter((literal) => texts.some((text) => text.includes(literal)));
}

test("views, panes and dialogs are not among what a page loads first, and come once it is idle", async ({
  context,
}) => {
  const [busy, idle] = [await context.newPage(), await context.newPage()];
  await neverIdle(busy);
  await open(busy);
  expect(await loadedParts(busy)).toEqual([]);
  await open(idle);
  await expect.poll(() => loadedParts(idle)).toEqual(PARTS);
});

test("a key that is pressed before its dialog or view is there acts all the same", async ({ page }) => {
  await neverIdle(page);
  const session = await open(page);
  const held: Route[] = [];
  let holds = true;
  await page.route(CHUNKS, (route) => (holds ? void held.push(route) : route.continue()));
  /** Once something was asked for: a part may be several files, of which the last are asked for later. */
  const release = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    holds = false;
    await Promise.all(held.splice(0).map((route) => route.continue()));
  };

  await session.press("x");
  // As below any dialog: no key is the page's.
  await page.keyboard.press("1");
  await release();
  await expect(page.getByRole("dialog", { name: "Export" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get("detail")).toBeNull();

  holds = true;
  await session.press("=");
  expect(new URL(page.url()).searchParams.get("view")).toBe("compare");
  // The thread is seen until its comparison is there, whose own keys wait for it.
  await expect(session.rows.first()).toBeVisible();
  await page.keyboard.press("o");
  await release();
  const compared = page.getByRole("region", { name: "Compare" });
  await expect(compared.getByRole("button", { name: /^Stem/, expanded: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(compared).toHaveCount(0);
});

test("a view or dialog that is first asked for when the server is gone says so, and comes when it is tried again", async ({
  page,
}) => {
  await neverIdle(page);
  const session = await open(page);
  await server.stop();

  await session.press("w");
  const fault = page.getByRole("alert").filter({ hasText: "own code was not loaded" });
  await expect(fault).toContainText("Couldn’t load the waterfall");
  await fault.getByRole("button", { name: "Try again" }).click();
  await expect(fault).toBeVisible();
  // The rest of the page works.
  await page.keyboard.press("Escape");
  await expect(fault).toHaveCount(0);
  await expect(session.rows.first()).toBeInViewport();

  await session.press("i");
  await expect(page.getByRole("region", { name: "Record" })).toContainText("Couldn’t load the record");
  await page.getByRole("button", { name: "Close Record" }).click();

  await session.press("x");
  const dialog = page.getByRole("dialog", { name: "Export" });
  await expect(dialog).toContainText("Couldn’t load this dialog");
  await restart();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog).toContainText("Exports are not redacted");
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await session.press("w");
  await expect(page.getByRole("region", { name: "Waterfall" })).toBeVisible();
});

test("a view or dialog that was loaded while the page was idle is there when the server is gone", async ({
  page,
}) => {
  const session = await open(page);
  await expect.poll(() => loadedParts(page)).toEqual(PARTS);
  await server.stop();
  await session.press("x");
  await expect(page.getByRole("dialog", { name: "Export" })).toContainText("Exports are not redacted");
  await page.keyboard.press("Escape");
  await session.press("g");
  await expect(page.getByText("own code was not loaded")).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "Couldn’t load the graph" })).toBeVisible();
});

test("a view that a server of another build does not have comes when the page is loaded anew", async ({
  page,
}) => {
  await neverIdle(page);
  const session = await open(page);
  await page.route(CHUNKS, (route) => route.fulfill({ status: 404 }));
  await session.press("w");
  const fault = page.getByRole("alert").filter({ hasText: "own code was not loaded" });
  await expect(fault).toContainText("updated meanwhile");
  await page.unroute(CHUNKS);
  await fault.getByRole("button", { name: "Reload the page" }).click();
  await expect(page.getByRole("listbox", { name: "Steps by time" })).toBeVisible();
});

test("a view that the address names is there at once, and a dialog after a reload", async ({ page }) => {
  await neverIdle(page);
  const session = await open(page, "?view=graph");
  await expect(page.getByRole("region", { name: "Graph", exact: true })).toBeVisible();
  await session.press("x");
  const dialog = page.getByRole("dialog", { name: "Export" });
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(dialog).toContainText("Exports are not redacted");
});

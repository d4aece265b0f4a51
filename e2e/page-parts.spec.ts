import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, type Page, type Route } from "@playwright/test";
import { compiledFolder } from "../bin/cli/compile-cache.mjs";
import { SessionPage } from "./pages/session-page";
import { builtServer, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/** A text of each part of a session's page that is loaded by itself: views, panes, dialogs. */
const PARTS = ["Steps by time", "Rebuilt from the records", "Commits and pull requests"];
/** The longest of the samples. */
const SESSION = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
const CHUNKS = "**/_next/static/chunks/*.js";

let server: TestServer;

test.beforeAll(({ samples }) => {
  server = samples;
});

/** A browser that is never idle: what is loaded was asked for. */
async function neverIdle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** A session with its rows and its facts, without which it has no dialogs. */
async function open(page: Page, query = "", from = server): Promise<SessionPage> {
  const session = await SessionPage.open(page, from, SESSION + query);
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
  const held: Route[] = [];
  let holds = false;
  // From the first request on: with a route the browser keeps nothing in its cache.
  await page.route(CHUNKS, (route) => (holds ? void held.push(route) : route.continue()));
  const session = await open(page);
  /** Once something was asked for: a part may be several files, of which the last are asked for later. */
  const release = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    holds = false;
    await Promise.all(held.splice(0).map((route) => route.continue()));
  };

  holds = true;
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
  await expect.poll(() => new URL(page.url()).searchParams.get("view")).toBe("compare");
  // The thread is seen until its comparison is there, whose own keys wait for it.
  await expect(session.rows.first()).toBeVisible();
  await page.keyboard.press("o");
  await release();
  const compared = page.getByRole("region", { name: "Compare" });
  await expect(compared.getByRole("button", { name: /^Stem/, expanded: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(compared).toHaveCount(0);
});

test("when the server is gone, what was loaded while the page was idle is there; what is first asked for says so, and comes when it is tried again", async ({
  page,
  browser,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-test-"));
  let own = await startServer({ dataDir });
  // With a cache of its own, in which the other would find the parts.
  const idlePage = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  try {
    const idle = await open(idlePage, "", own);
    await expect.poll(() => loadedParts(idlePage)).toEqual(PARTS);
    await neverIdle(page);
    const session = await open(page, "", own);
    await own.stop();

    await test.step("loaded while the page was idle", async () => {
      await idle.press("x");
      await expect(idlePage.getByRole("dialog", { name: "Export" })).toContainText(
        "Exports are not redacted",
      );
      await idlePage.keyboard.press("Escape");
      await idle.press("g");
      await expect(idlePage.getByText("own code was not loaded")).toHaveCount(0);
      await expect(idlePage.getByRole("alert").filter({ hasText: "Couldn’t load the graph" })).toBeVisible();
      await idlePage.context().close();
    });

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
    own = await startServer({ dataDir, args: ["--demo", "--port", new URL(own.url).port] });
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog).toContainText("Exports are not redacted");
    await expect
      .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);

    await session.press("w");
    await expect(page.getByRole("region", { name: "Waterfall" })).toBeVisible();
  } finally {
    await own.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
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

test("a page that was open while its server was updated says so, until it is loaded anew", async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-updated-"));
  const dataDir = join(folder, "data");
  // The same server, which says that it is of another build.
  symlinkSync(builtServer(), join(folder, "server.js"));
  symlinkSync(compiledFolder(dirname(builtServer())), join(folder, "compiled"));
  writeFileSync(join(folder, "backscroll-build.json"), JSON.stringify({ sources: "newer" }));
  let own = await startServer({ dataDir, args: ["--demo"] });
  try {
    await open(page, "", own);
    const outdated = page.getByRole("status").filter({ hasText: "Backscroll was updated" });
    await own.stop();
    const args = ["--demo", "--port", new URL(own.url).port];
    own = await startServer({ dataDir, args, env: { BACKSCROLL_SERVER: join(folder, "server.js") } });
    await expect(outdated).toBeVisible({ timeout: 30_000 });
    await outdated.getByRole("button", { name: "Reload the page" }).click();
    await expect(outdated).toHaveCount(0);
    await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
    await expect(outdated).toHaveCount(0);
  } finally {
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

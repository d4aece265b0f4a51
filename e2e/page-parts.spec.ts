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

/** A browser that is never idle: what is loaded was asked for. */
async function neverIdle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** A session with its rows and its facts, without which it has no dialogs. */
async function open(page: Page, server: TestServer): Promise<SessionPage> {
  const session = await SessionPage.open(page, server, SESSION);
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
  return session;
}

/** Which of these parts the page has loaded. What was read of its code is not read again. */
async function loadedParts(page: Page): Promise<string[]> {
  return page.evaluate(async (parts) => {
    const texts = ((window as unknown as { texts?: Map<string, string> }).texts ??= new Map());
    const sources = [...document.querySelectorAll<HTMLScriptElement>("script[src]")].map(({ src }) => src);
    const isNew = (source: string) => !texts.has(source);
    await Promise.all(
      sources.filter(isNew).map(async (source) => texts.set(source, await (await fetch(source)).text())),
    );
    return parts.filter((literal) => [...texts.values()].some((text) => text.includes(literal)));
  }, PARTS);
}

test("a view of another build comes with the page loaded anew, as one does that the address names; a key that is pressed before its dialog or view is there acts all the same", async ({
  page,
  samples,
}) => {
  await neverIdle(page);
  const held: Route[] = [];
  let chunks: "come" | "wait" | "are missing" = "come";
  // From the first request on: with a route the browser keeps nothing in its cache.
  await page.route(CHUNKS, (route) => {
    if (chunks === "wait") return void held.push(route);
    return chunks === "come" ? route.continue() : route.fulfill({ status: 404 });
  });
  const session = await open(page, samples);
  /** Once something was asked for: a part may be several files, of which the last are asked for later. */
  const release = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    chunks = "come";
    await Promise.all(held.splice(0).map((route) => route.continue()));
  };
  const dialog = page.getByRole("dialog", { name: "Export" });

  await test.step("a view that a server of another build does not have", async () => {
    chunks = "are missing";
    await session.press("w");
    const fault = page.getByRole("alert").filter({ hasText: "own code was not loaded" });
    await expect(fault).toContainText("updated meanwhile");
    chunks = "come";
    await fault.getByRole("button", { name: "Reload the page" }).click();
    await expect(page.getByRole("listbox", { name: "Steps by time" })).toBeVisible();
    await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(session.rows.first()).toBeInViewport();
  });

  await test.step("a dialog", async () => {
    chunks = "wait";
    await session.press("x");
    // As below any dialog: no key is the page's.
    await page.keyboard.press("1");
    await release();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(new URL(page.url()).searchParams.get("detail")).toBeNull();
  });

  await test.step("a view", async () => {
    chunks = "wait";
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

  await test.step("a dialog after a reload", async () => {
    await session.press("x");
    await expect(dialog).toBeVisible();
    await page.reload();
    await expect(dialog).toContainText("Exports are not redacted");
  });
});

test("parts are loaded once a page is idle, and are there when the server is gone; what is first asked for then says so, and comes when it is tried again, from an updated server too, of which the page tells until it is loaded anew", async ({
  page,
  browser,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-updated-"));
  const dataDir = join(folder, "data");
  // The same server, which says that it is of another build.
  symlinkSync(builtServer(), join(folder, "server.js"));
  symlinkSync(compiledFolder(dirname(builtServer())), join(folder, "compiled"));
  writeFileSync(join(folder, "backscroll-build.json"), JSON.stringify({ sources: "newer" }));
  let server = await startServer({ dataDir, args: ["--demo"] });
  // With a cache of its own, in which the other would find the parts.
  const idlePage = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  try {
    const idle = await open(idlePage, server);
    await expect.poll(() => loadedParts(idlePage)).toEqual(PARTS);
    await neverIdle(page);
    const session = await open(page, server);
    expect(await loadedParts(page)).toEqual([]);
    await server.stop();

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

    await test.step("not loaded before", async () => {
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
    });

    await session.press("x");
    const dialog = page.getByRole("dialog", { name: "Export" });
    await expect(dialog).toContainText("Couldn’t load this dialog");
    const args = ["--demo", "--port", new URL(server.url).port];
    server = await startServer({ dataDir, args, env: { BACKSCROLL_SERVER: join(folder, "server.js") } });
    await test.step("tried again, of an updated server", async () => {
      await dialog.getByRole("button", { name: "Try again" }).click();
      await expect(dialog).toContainText("Exports are not redacted");
      await expect
        .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
        .toBe(true);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await session.press("w");
      await expect(page.getByRole("region", { name: "Waterfall" })).toBeVisible();
      await page.keyboard.press("Escape");
    });

    await test.step("the page says that its server was updated, until it is loaded anew", async () => {
      const outdated = page.getByRole("status").filter({ hasText: "Backscroll was updated" });
      await expect(outdated).toBeVisible();
      await outdated.getByRole("button", { name: "Reload the page" }).click();
      await expect(outdated).toHaveCount(0);
      await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
      await expect(outdated).toHaveCount(0);
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

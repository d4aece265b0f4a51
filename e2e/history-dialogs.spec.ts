import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { runs, sampleOf } from "@/lib/testing/runs";
import { SessionPage } from "./pages/session-page";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { test } from "./support/test";

// A dialog that is opened is an entry of the browser's history: Back closes it, Forward opens it again.

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

/** A session that begins with an image. */
const IMAGE = "30000000-0000-4000-8000-000000000001";

let server: RecordedServer;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-image-"));
  writeImage();
  server = await serveRecordings(["2.1.330"], { claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function writeImage(): void {
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const content = [
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
    { type: "text", text: "What is this?" },
  ];
  const message = { role: "user", content };
  const line = { type: "user", uuid: IMAGE, parentUuid: null, sessionId: IMAGE, message };
  const more = { cwd: "/home/dev/shop", timestamp: "2026-01-05T10:00:00.000Z", version: "2.1.330" };
  writeFileSync(join(project, `${IMAGE}.jsonl`), `${JSON.stringify({ ...line, ...more })}\n`);
}

/** The dialogs of every page, by the key that opens each. */
const DIALOGS: [name: string, key: string][] = [
  ["Settings", ","],
  ["Keys", "?"],
  ["Share this view", "s"],
  ["Go to or search", "ControlOrMeta+k"],
];

const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

test("Back closes the open dialog and nothing else, on every page, and Forward opens it again", async ({
  page,
}) => {
  for (const [at, path] of ["/", "/search?q=agent", "/now", "/doctor", `/sessions/${AGENTS}`].entries()) {
    await page.goto(`${server.url}${path}${at === 0 ? `#t=${server.token}` : ""}`);
    await expect(page.locator("main").first()).toBeVisible();
    // As the first thing that a page hears of, which after a reload has another page of the router for its entry. In
    // `npm test` every second page is loaded again.
    if (at % runs(2, 1) === 0) {
      await page.reload();
      await expect(page.locator("main").first()).toBeVisible();
    }
    const { href } = new URL(page.url());
    const entries = await page.evaluate(() => window.history.length);
    const place = () => page.evaluate(() => window.navigation.currentEntry?.index);
    const before = await place();
    let loads = 0;
    page.on("load", () => (loads += 1));
    // In `npm test` every second one, of the next page the others.
    for (const [name, key] of sampleOf(DIALOGS, 2, at)) {
      await page.keyboard.press(key);
      await expect(dialogOf(page, name)).toBeVisible();
      // Asked by the page: Playwright counts from where the browser's own process believes the page to be, a moment later.
      await page.evaluate(() => window.history.back());
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page).toHaveURL(href);
      await page.goForward();
      await expect(dialogOf(page, name)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      // To close it is to go back, which the browser does a moment later: a step back before that is one more.
      await expect.poll(place).toBe(before);
    }
    expect(loads, path).toBe(0);
    // Each was where the one before had been.
    expect(await page.evaluate(() => window.history.length)).toBe(entries + 1);
    page.removeAllListeners("load");
  }
  // The first step back from the last page leaves it.
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/doctor`);
});

test("a session's own dialogs are in the history, and a reload leaves them open", async ({ page }) => {
  const session = await SessionPage.openFromLibrary(page, server, AGENTS);
  const { href } = new URL(page.url());
  // The key comes with the bar, which waits for the session's facts.
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
  await session.press("x");
  await expect(dialogOf(page, "Export")).toBeVisible();
  await page.reload();
  await expect(dialogOf(page, "Export")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await session.ready();
  await expect(page).toHaveURL(href);

  // What a dialog lists of the page below is there as soon as that is.
  await session.press("?");
  await expect(dialogOf(page, "Keys")).toBeVisible();
  await page.reload();
  for (const command of ["export", "row down", "settings"])
    await expect(dialogOf(page, "Keys").getByText(command, { exact: true })).toBeVisible();
  await page.goBack();
  await session.press("s");
  const link = dialogOf(page, "Share this view").locator("output span");
  const own = dialogOf(page, "Share this view").getByRole("tab", { name: "For myself" });
  await own.click();
  await expect(link).toHaveAttribute("title", /at=/);
  const shared = (await link.getAttribute("title")) ?? "";
  await page.reload();
  await own.click();
  await expect(link).toHaveAttribute("title", shared);
  await page.goBack();

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "About this session" }).click();
  await dialogOf(page, "About this session").getByRole("link", { name: "Diagnostics" }).click();
  await expect(page).toHaveURL(/doctor/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goBack();
  await expect(dialogOf(page, "About this session")).toBeVisible();
  await dialogOf(page, "About this session").getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
});

test("an image at full size is in the history too, and comes back with a reload", async ({ page }) => {
  const session = await SessionPage.open(page, server, IMAGE);
  const thumbnail = page.getByRole("button", { name: /^Show at full size/ }).first();
  await thumbnail.click();
  const image = page.getByRole("dialog").getByRole("img");
  await expect(image).toBeVisible();
  await page.reload();
  await expect(image).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goForward();
  await expect(image).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await session.ready();
});

test("two quick steps back with a dialog over a pane close both, and the pane below them stays", async ({
  page,
}) => {
  const session = await SessionPage.open(page, server, AGENTS);
  await session.press("i");
  await session.press("F");
  await expect(page.getByRole("region", { name: "Files" })).toBeVisible();
  await session.press(",");
  await expect(dialogOf(page, "Settings")).toBeVisible();
  await page.evaluate(() => {
    history.back();
    history.back();
  });
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Files" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  // Closed and gone back at once: the way back of the one is not that of the other.
  await session.press(",");
  await expect(dialogOf(page, "Settings")).toBeVisible();
  await session.press("Escape");
  await page.evaluate(() => history.back());
  await expect(page.getByRole("region", { name: "Inspector" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await session.ready();
});

test("what the palette leads to takes its place: a page, a view, another dialog", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(`${server.url}/#t=${server.token}`);
  const list = page.getByRole("main");
  await expect(list).toBeVisible();
  const entries = await page.evaluate(() => window.history.length);
  const choose = async (words: string, name: RegExp, group: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    const palette = dialogOf(page, "Go to or search");
    await expect(palette.getByRole("option").first()).toBeVisible();
    await palette.getByRole("combobox").fill(words);
    // Sessions come a moment after the commands, above them.
    await palette.getByRole("group", { name: group }).getByRole("option", { name }).first().click();
    await expect(dialogOf(page, "Go to or search")).toHaveCount(0);
  };
  await choose("", /./, "Sessions");
  await expect(page).toHaveURL(/sessions/);
  await session.ready();
  expect(await page.evaluate(() => window.history.length)).toBe(entries + 1);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goForward();
  await session.ready();
  await choose("graph", /^Graph \(twice/, "Commands");
  await expect(page.locator("[data-graph]")).toBeVisible();
  await choose("settings", /^Settings/, "Commands");
  await expect(dialogOf(page, "Settings")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("[data-graph]")).toBeVisible();
  await page.goBack();
  await expect(page.locator("[data-graph]")).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import { runs, sampleOf } from "@/lib/testing/runs";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { HOSTILE_PAYLOADS } from "./support/hostile-payloads";
import { type HostileTree, writeHostileTree } from "./support/hostile-session";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/** Each fills every field of a turn: in `npm test` every tenth one, from one on by which each kind has one at least. */
const PAYLOADS = sampleOf(HOSTILE_PAYLOADS, 10, 6);
const TURNS_A_SESSION = 7;
/** Lines other than prompts begin turns of their own. */
const MAX_TURNS = 60;
/** Twice the usual height: each screen that is scrolled over is drawn anew and waited for. */
const TALL = { width: 1440, height: 1_800 };
/** Of a file's thread as much is opened and looked at. */
const MAX_SCREENS = 20;

let server: TestServer;
let folder: string;
let tree: HostileTree;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-hostile-"));
  tree = writeHostileTree(folder, PAYLOADS, TURNS_A_SESSION);
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Collects everything that a page must not do, as text, as it happens. */
async function watch(page: Page, own = server.url): Promise<string[]> {
  const problems = await watchPolicy(page);
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith("blob:")) problems.push(`request: ${url.slice(0, 200)}`);
  });
  page.on("popup", (popup) => problems.push(`window: ${popup.url()}`));
  return problems;
}

/** Runs in the page: elements outside their container, or of kinds that a log must never create. */
function escapes(): string[] {
  const found: string[] = [];
  if ("pwned" in globalThis) found.push("a script ran");
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth + 1) found.push(`the page is ${page.scrollWidth} wide`);
  const main = document.querySelector("main");
  if (!main) return [...found, "no main"];
  const box = main.getBoundingClientRect();
  const forbidden = "iframe,object,embed,form,base,link,meta,style,script,video,audio,math,details";
  for (const element of main.querySelectorAll(forbidden)) found.push(`a ${element.tagName} element`);
  for (const image of main.querySelectorAll("img"))
    if (!image.src.startsWith("blob:")) found.push(`an image from ${image.src.slice(0, 80)}`);
  for (const link of main.querySelectorAll("a[href]")) {
    const { protocol, rel, origin } = link as HTMLAnchorElement;
    if (!["http:", "https:", "mailto:"].includes(protocol)) found.push(`a link with ${protocol}`);
    if (origin !== location.origin && !rel.includes("noopener")) found.push("a link without noopener");
  }
  for (const element of main.querySelectorAll("article *")) {
    const { position } = getComputedStyle(element);
    if (position === "fixed") found.push(`fixed: ${element.className}`);
    const { left, right, width } = element.getBoundingClientRect();
    if (width === 0 || (right <= box.right + 1 && left >= box.left - 1)) continue;
    let clipped = false;
    for (let up = element.parentElement; up && up !== main && !clipped; up = up.parentElement) {
      clipped = getComputedStyle(up).overflowX !== "visible";
    }
    if (!clipped) found.push(`outside: ${element.tagName} ${element.className} ${left}–${right}`);
  }
  return [...new Set(found)].slice(0, 10);
}

test("the logs contain each payload more than fifty times", () => {
  expect(tree.planted).toBeGreaterThan(50 * PAYLOADS.length);
});

test("no session runs, loads or breaks out of anything", async ({ page }) => {
  test.setTimeout(900_000);
  await page.setViewportSize(TALL);
  const problems = await watch(page);
  const session = new SessionPage(page);
  const opened = new Set<string>();
  for (const id of tree.sessions) {
    await page.goto(`${server.url}/sessions/${id}?detail=everything#t=${server.token}`);
    await session.ready();
    expect.soft(await page.evaluate(escapes), `session ${id}`).toEqual([]);
    await session.press("j");
    for (let turn = 1; turn <= MAX_TURNS; turn++) {
      await expect.poll(() => session.focusedRow()).not.toBeNull();
      const row = await session.focusedRow();
      await session.press("e");
      await page.evaluate(untilDrawn);
      const { keys, isLast } = await session.thread.evaluate(scrollThrough, row ?? 0);
      for (const key of keys) opened.add(`${id} ${key}`);
      expect.soft(await page.evaluate(escapes), `session ${id}, turn ${turn}`).toEqual([]);
      if (isLast) break;
      await session.press("J");
      await expect.poll(() => session.focusedRow(), { intervals: [10] }).not.toBe(row);
    }
  }
  expect(opened.size).toBeGreaterThan(15 * PAYLOADS.length);
  expect(problems).toEqual([]);
});

test("nor does the file of any, opened from disk without a network", async ({ browser }) => {
  test.setTimeout(900_000);
  const opened = new Set<string>();
  // A file has the page's own components: in `npm test` one of them.
  const sessions = tree.sessions.slice(0, runs(1, tree.sessions.length));
  for (const id of sessions) {
    const response = await fetch(`${server.url}/api/sessions/${id}/export?format=html`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    const path = join(folder, "exported.html");
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    const context = await browser.newContext({ viewport: TALL });
    await context.setOffline(true);
    const page = await context.newPage();
    const { href } = pathToFileURL(path);
    const problems = await watch(page, href);
    await page.goto(href);
    const session = new SessionPage(page);
    await session.ready();
    for (let screens = 0; screens < MAX_SCREENS; screens++) {
      const keys = await session.thread.evaluate(openOnScreen);
      await page.evaluate(untilDrawn);
      expect.soft(await page.evaluate(escapes), `session ${id}`).toEqual([]);
      for (const key of keys) opened.add(`${id} ${key}`);
      const isEnd = await session.thread.evaluate((main) => {
        const before = main.scrollTop;
        main.scrollBy(0, main.clientHeight * 0.9);
        return main.scrollTop === before;
      });
      if (isEnd) break;
    }
    expect(problems).toEqual([]);
    await context.close();
  }
  expect(opened.size).toBeGreaterThan(80 * sessions.length);
});

/** Runs in the page: opens the rows on screen. Returns those that are open. */
function openOnScreen(main: Element): string[] {
  for (const line of main.querySelectorAll<HTMLElement>("[data-openable][aria-expanded=false]")) line.click();
  const rows = [...main.querySelectorAll<HTMLElement>("article[data-index]")];
  return rows
    .filter((row) => row.querySelector("[data-openable]"))
    .map(({ dataset }) => `${dataset.recordId}.${dataset.block}`);
}

/** Runs in the page: until it has been drawn twice, and nothing on screen is still loading. */
async function untilDrawn(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  while (document.querySelector('main [aria-busy="true"]')) await frame();
}

/**
 * Runs in the page: scrolls over the opened content screen by screen, as far as the next turn, and back, since moving to
 * the next turn starts from what is on screen. Returns the rows that were open, and whether no turn follows.
 */
async function scrollThrough(main: Element, fromRow: number): Promise<{ keys: string[]; isLast: boolean }> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const opened = new Set<string>();
  const from = main.scrollTop;
  let isLast = true;
  for (let screens = 0; screens < 40; screens++) {
    await frame();
    await frame();
    while (main.querySelector('[aria-busy="true"]')) await frame();
    const rows = [...main.querySelectorAll<HTMLElement>("article[data-index]")];
    for (const { dataset } of rows.filter((row) => row.querySelector('[aria-label^="Close "]')))
      opened.add(`${dataset.recordId}.${dataset.block}`);
    const { bottom } = main.getBoundingClientRect();
    const turns = rows.filter((row) => Number(row.dataset.index) > fromRow && row.querySelector("h2"));
    if (turns.length > 0) isLast = false;
    const next = turns.find((row) => Number(row.dataset.index) > fromRow + 1);
    const top = main.scrollTop;
    main.scrollBy(0, main.clientHeight * 0.9);
    if (main.scrollTop === top || (next?.getBoundingClientRect().top ?? bottom) < bottom) break;
  }
  main.scrollTo(0, from);
  await frame();
  await frame();
  return { keys: [...opened], isLast };
}

test("neither do the library, a search and the inspector", async ({ page }) => {
  const problems = await watch(page);
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  expect((await page.evaluate(escapes)).filter((found) => found !== "no main")).toEqual([]);
  for (const query of sampleOf(HOSTILE_PAYLOADS.slice(0, 8), 2)) {
    await page.goto(`${server.url}/search?q=${encodeURIComponent(query)}`);
    await page.evaluate(untilDrawn);
    expect((await page.evaluate(escapes)).filter((found) => found !== "no main")).toEqual([]);
  }
  const [id] = tree.sessions;
  await page.goto(`${server.url}/sessions/${id}?detail=everything`);
  const session = new SessionPage(page);
  await session.ready();
  await session.press("j", "i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  for (let rows = 0; rows < 40; rows++) await session.press("j");
  expect(await page.evaluate(escapes)).toEqual([]);
  expect(problems.filter((problem) => !problem.includes("status of 404"))).toEqual([]);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { HOSTILE_PAYLOADS } from "./support/hostile-payloads";
import { type HostileTree, writeHostileTree } from "./support/hostile-session";
import { startServer, type TestServer } from "./support/server";

const TURNS_A_SESSION = 6;
/** Opened rows are shown for this long before the page is looked at. */
const SETTLE_MS = 120;

let server: TestServer;
let folder: string;
let tree: HostileTree;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-hostile-"));
  tree = writeHostileTree(folder, HOSTILE_PAYLOADS, TURNS_A_SESSION);
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that a page must not do, in words, as it happens. */
async function watch(page: Page): Promise<string[]> {
  const problems = await watchPolicy(page);
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith("blob:"))
      problems.push(`request: ${url.slice(0, 200)}`);
  });
  page.on("popup", (popup) => problems.push(`window: ${popup.url()}`));
  return problems;
}

/** Runs in the page: what stands where it must not, or is of a kind that no log may make. */
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

test("what a log carries is over a thousand attempts", () => {
  expect(tree.placed).toBeGreaterThanOrEqual(1_000);
});

test("no session runs, loads or breaks out of anything", async ({ page }) => {
  test.setTimeout(600_000);
  const problems = await watch(page);
  const session = new SessionPage(page);
  for (const id of tree.sessions) {
    await page.goto(`${server.url}/sessions/${id}?detail=everything#t=${server.token}`);
    await session.ready();
    expect.soft(await page.evaluate(escapes), `session ${id}`).toEqual([]);
    for (let turn = 0; turn < TURNS_A_SESSION; turn++) {
      await session.press("J", "j", "e");
      const rows = page.locator('article[tabindex="0"]');
      await expect(rows).toHaveCount(1);
      expect(await page.locator('article button[aria-expanded="true"]').count()).toBeGreaterThan(3);
      await scrollThrough(page);
      expect.soft(await page.evaluate(escapes), `session ${id}, turn ${turn + 1}`).toEqual([]);
    }
  }
  expect(problems).toEqual([]);
});

/** A screen at a time over what has been opened, up to a bound. */
async function scrollThrough(page: Page): Promise<void> {
  const main = page.getByRole("main", { name: "Thread" });
  for (let screens = 0; screens < 10; screens++) {
    await page.waitForTimeout(SETTLE_MS);
    await main.evaluate((element) => element.scrollBy(0, element.clientHeight * 0.9));
  }
}

test("neither do the library, a search and the inspector", async ({ page }) => {
  test.setTimeout(120_000);
  const problems = await watch(page);
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  expect((await page.evaluate(escapes)).filter((found) => found !== "no main")).toEqual([]);
  for (const query of HOSTILE_PAYLOADS.slice(0, 8)) {
    await page.goto(`${server.url}/search?q=${encodeURIComponent(query)}`);
    await page.waitForTimeout(SETTLE_MS);
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

import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import { SessionPage } from "./pages/session-page";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

// Whoever has opened one of a list comes back to where they were in it, and goes on with the next one.

const SESSIONS = 150;
const LONG_AGO = new Date("2026-01-05T10:00:00Z");

let folder: string;
let server: TestServer;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-lists-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  for (let n = 1; n <= SESSIONS; n++) {
    const path = join(project, `30000000-0000-4000-8000-${String(n).padStart(12, "0")}.jsonl`);
    const log = new LogWriter(path);
    log.prompt(`Session ${n}: round the till's totals`);
    log.say("The totals are rounded once a row now.");
    // What was written just now, by its lines or its file, may still be running: until that is known its row is taller,
    // and among those at the top.
    const at = new Date(LONG_AGO.getTime() + n * 60_000);
    const lines = readFileSync(path, "utf8");
    writeFileSync(path, lines.replace(/"timestamp":"[^"]+"/g, `"timestamp":"${at.toISOString()}"`));
    utimesSync(path, at, at);
  }
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const link = (path: string) => `${server.url}${path}#t=${server.token}`;

/** How far down a list's box is. */
const offsetOf = (box: Locator) => box.evaluate((element) => Math.round(element.scrollTop));

/** Scrolls the box to its middle, and opens what is there. */
async function openMiddle(page: Page, box: Locator): Promise<{ px: number; href: string }> {
  await expect.poll(() => box.evaluate((element) => element.scrollHeight)).toBeGreaterThan(3_000);
  await box.hover();
  await page.mouse.wheel(0, 1_700);
  // Where it still scrolls, the button goes down over one row and comes up over another, which opens neither.
  await expect.poll(() => offsetOf(box)).toBe(1_700);
  const found = await box.boundingBox();
  const middle = { x: (found?.width ?? 0) / 2, y: (found?.height ?? 0) / 2 };
  const px = await offsetOf(box);
  await box.click({ position: middle });
  await new SessionPage(page).ready();
  return { px, href: await page.evaluate(() => window.location.pathname) };
}

const libraryOf = (page: Page) => page.locator('[role="table"] > [role="presentation"]');
const hitsOf = (page: Page) => page.getByRole("list", { name: "Results" }).locator("..");

/** A session that was folded among hits stays so among fewer of them, and after Back from one. */
async function staysFolded(page: Page): Promise<void> {
  const results = page.getByRole("list", { name: "Results" });
  const head = results.getByRole("button").first();
  await head.click();
  await expect(head).toHaveAttribute("aria-expanded", "false");
  await page.getByRole("checkbox", { name: /^Main thread/ }).check();
  await expect(page).toHaveURL(/threads=main/);
  await expect(head).toHaveAttribute("aria-expanded", "false");
  await results.getByRole("link").first().click();
  await new SessionPage(page).ready();
  await page.goBack();
  await expect(results.getByRole("link").first()).toBeVisible();
  await expect(head).toHaveAttribute("aria-expanded", "false");
  await page.reload();
  await expect(results.getByRole("link").first()).toBeVisible();
  await expect(head).toHaveAttribute("aria-expanded", "false");
  // A session that is unfolded again is so on the way back, too.
  await head.click();
  await expect(head).toHaveAttribute("aria-expanded", "true");
  await page.reload();
  await expect(results.getByRole("link").first()).toBeVisible();
  await expect(head).toHaveAttribute("aria-expanded", "true");
}

/** The list stays where it is read when the session at its upper edge goes on and moves to the top. */
async function staysWhereItIsRead(page: Page): Promise<void> {
  const box = libraryOf(page);
  await expect.poll(() => box.evaluate((element) => element.scrollHeight)).toBeGreaterThan(4_400);
  await box.evaluate((element) => element.scrollTo(0, 1_700));
  /** The session of the row so far below the upper edge. */
  const sessionAt = (px: number) =>
    box.evaluate((element, below) => {
      const { left, top } = element.getBoundingClientRect();
      const row = document.elementFromPoint(left + 200, top + below)?.closest('[role="row"]');
      return row?.querySelector("a")?.pathname.split("/").at(-1) ?? "";
    }, px);
  await expect.poll(() => sessionAt(2)).not.toBe("");
  const [upper, read] = [await sessionAt(2), await sessionAt(300)];
  new LogWriter(join(folder, "projects", "-home-dev-shop", `${upper}.jsonl`)).prompt("Go on");
  await expect.poll(() => sessionAt(2)).not.toBe(upper);
  expect([await sessionAt(295), await sessionAt(300), await sessionAt(305)]).toContain(read);
  expect(await offsetOf(box)).toBeGreaterThan(1_600);
}

for (const [name, path, boxOf, more, goOn] of [
  ["a search", "/search?q=totals", hitsOf, "a folded session stays so", staysFolded],
  // The last, since it writes.
  ["the library", "/", libraryOf, "one that goes on moves nothing", staysWhereItIsRead],
] as const)
  test(`${name} is where it was: after Back, a reload, and Back from a session that was loaded again; ${more}`, async ({
    page,
  }) => {
    await page.goto(link(path));
    const box = boxOf(page);
    const { px, href } = await openMiddle(page, box);
    const isBack = async () => {
      await expect.poll(() => offsetOf(box)).toBe(px);
      // The row that was opened is the one that the keys go on from.
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate(() => window.location.pathname)).toBe(href);
      await new SessionPage(page).ready();
    };
    await page.goBack();
    await isBack();
    await page.reload();
    await new SessionPage(page).ready();
    await page.goBack();
    await expect.poll(() => offsetOf(box)).toBe(px);
    await page.reload();
    await isBack();
    // A link leads to its top.
    const other = await page.context().newPage();
    await other.goto(link(path));
    await expect(boxOf(other).getByRole("link").first()).toBeVisible();
    expect(await offsetOf(boxOf(other))).toBe(0);
    await test.step(more, () => goOn(other));
  });

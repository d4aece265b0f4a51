import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { RECORDED_VERSIONS, type Recording, unpackRecording } from "@/lib/testing/recorded";
import { watchPolicy } from "./pages/watch-policy";
import { composeSheet, type SheetPicture } from "./support/contact-sheet";
import { startServer, type TestServer } from "./support/server";
import { watchRequests } from "./support/watch-requests";

/** Where screenshots are kept. */
const PICTURES = join(import.meta.dirname, "../.cache/gallery");
/** The file for a contact sheet, if one is wanted. */
const SHEET = process.env.BACKSCROLL_SHEET;
/** Tools on the contact sheet: one for each kind of view. */
const ON_SHEET = ["Bash", "Edit", "Grep", "Read", "TodoWrite", "ExitPlanMode", "AskUserQuestion", "Workflow"];

let server: TestServer;
const recordings: Recording[] = [];
/** For the contact sheet, taken by the tests before it. */
const pictures: SheetPicture[] = [];

test.beforeAll(async () => {
  recordings.push(...RECORDED_VERSIONS.map(unpackRecording));
  server = await startServer({
    claudeDirs: recordings.map(({ claudeDir }) => claudeDir),
    env: { BACKSCROLL_GALLERY: "1" },
  });
  mkdirSync(PICTURES, { recursive: true });
});
test.afterAll(async () => {
  await server.stop();
  for (const recording of recordings) recording[Symbol.dispose]();
});

async function openGallery(page: Page): Promise<void> {
  await page.goto(`${server.url}/gallery#t=${server.token}`);
  // It reads every session there is.
  await expect(page.locator("main[data-done]")).toBeVisible({ timeout: 240_000 });
  await expect(page.getByText("Reading the log…")).toHaveCount(0);
}

test("it is only served when enabled", async ({ page }) => {
  const plain = await startServer({ claudeDirs: recordings.slice(0, 1).map(({ claudeDir }) => claudeDir) });
  const answer = await page.goto(`${plain.url}/gallery#t=${plain.token}`);
  expect(answer?.status()).toBe(404);
  await plain.stop();
});

test("every recorded tool and row, in dark and light, wide and narrow", async ({ browser }) => {
  test.setTimeout(600_000);
  const context = await browser.newContext({ colorScheme: "dark", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const problems = await watchPolicy(page);
  await openGallery(page);

  const groups = await page
    .locator("section[data-group]")
    .evaluateAll((sections) => sections.map((section) => section.getAttribute("data-group")));
  expect(groups).toEqual(
    expect.arrayContaining(["Bash", "Edit", "Write", "Read", "MCP price", "Workflow", "turn"]),
  );
  // No recorded tool falls back to the generic view.
  await expect(page.getByText("unknown tool, shown as logged")).toHaveCount(0);
  await expect(page.getByText("shown as logged")).toHaveCount(0);

  await expectSound(page);
  await takePictures(page, "dark", 1440);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 900 });
  await expect
    .poll(() => page.evaluate(() => matchMedia("(prefers-color-scheme: light)").matches))
    .toBe(true);
  await expectSound(page);
  await takePictures(page, "light", 390);
  expect(problems).toEqual([]);
  await context.close();
});

/** Nothing is wider than the page, and axe finds nothing serious. */
async function expectSound(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
  expect(found).toEqual([]);
}

async function takePictures(page: Page, scheme: string, width: number): Promise<void> {
  for (const group of ON_SHEET) {
    const section = page.locator(`section[data-group="${group}"]`);
    await section.scrollIntoViewIfNeeded();
    await section.screenshot({ path: join(PICTURES, `${group}-${scheme}-${width}.png`) });
    if (group !== "Edit" && group !== "TodoWrite") continue;
    await section.evaluate((element) => element.scrollIntoView());
    pictures.push({ title: `tools, ${scheme}, ${width}`, width, png: await page.screenshot() });
  }
}

/** A picture for whoever asks for one, and no test otherwise. */
async function takeSheet(browser: Browser, path: string): Promise<void> {
  const session = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";
  for (const [scheme, width] of [
    ["dark", 1440],
    ["light", 1440],
    ["dark", 390],
    ["light", 390],
  ] as const) {
    const page = await browser.newPage({
      colorScheme: scheme,
      viewport: { width, height: width > 400 ? 810 : 844 },
    });
    const allRead = watchRequests(page);
    const take = async (title: string) => {
      await allRead();
      pictures.push({ title: `${title}, ${scheme}, ${width}`, width, png: await page.screenshot() });
    };
    await page.goto(`${server.url}/#t=${server.token}`);
    await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
    await take("library");
    await page.goto(`${server.url}/sessions/${session}`);
    await expect(page.locator("article[data-record-id]").first()).toBeVisible();
    await page.keyboard.press("J");
    await expect(page.locator('article[tabindex="0"]')).toBeVisible();
    await page.keyboard.press("e");
    await take("session");
    await page.keyboard.press("D");
    await expect(page.getByRole("button", { name: "Copy patch" }).first()).toBeVisible();
    await take("changes");
    await page.close();
  }
  await composeSheet(browser, pictures, path);
}

if (SHEET !== undefined) test("one contact sheet of everything", ({ browser }) => takeSheet(browser, SHEET));

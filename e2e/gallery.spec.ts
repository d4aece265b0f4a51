import { expect, type Page } from "@playwright/test";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { sampleOf } from "@/lib/testing/runs";
import type { Health } from "@/lib/wire/library";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { ask } from "./support/server";
import { test } from "./support/test";

const [FIRST, ...OTHERS] = RECORDED_VERSIONS;
/** The first and the newest are among them. */
const VERSIONS = [FIRST, ...sampleOf(OTHERS, 4, 1)] as const;

let server: RecordedServer;

test.beforeAll(async () => {
  server = await serveRecordings(VERSIONS, { env: { BACKSCROLL_GALLERY: "1" } });
  // The gallery lists the sessions once.
  await expect.poll(async () => (await ask<Health>(server, "health")).indexing.done).toBe(true);
});
test.afterAll(() => server.stop());

async function openGallery(page: Page): Promise<void> {
  await page.goto(`${server.url}/gallery#t=${server.token}`);
  // It reads every session there is.
  await expect(page.locator("main[data-done]")).toBeVisible({ timeout: 240_000 });
  await expect(page.getByText("Reading the log…")).toHaveCount(0);
}

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
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 900 });
  await expect
    .poll(() => page.evaluate(() => matchMedia("(prefers-color-scheme: light)").matches))
    .toBe(true);
  await expectSound(page);
  expect(problems).toEqual([]);
  await context.close();
});

/** Nothing is wider than the page, every button of an opened row's bar is within it, and axe finds nothing serious. */
async function expectSound(page: Page): Promise<void> {
  const cut = await page
    .locator("main .group\\/opened > :first-child")
    .evaluateAll((bars) =>
      bars.flatMap((bar) =>
        [...bar.querySelectorAll("button, a")]
          .filter((one) => one.getBoundingClientRect().right > bar.getBoundingClientRect().right)
          .map((one) => one.ariaLabel ?? one.textContent),
      ),
    );
  expect(cut).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(await seriousViolationsIn(page)).toEqual([]);
}

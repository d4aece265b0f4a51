import { expect, test } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsIn } from "./support/accessibility";
import { startServer, type TestServer } from "./support/server";

const FIXTURES = fixtureFolder("2.1.330");
const SESSION = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ claudeDirs: [FIXTURES] });
});
test.afterAll(() => server.stop());

for (const colorScheme of ["dark", "light"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("the library has no serious accessibility violations", async ({ page }) => {
      await page.goto(`${server.url}/#t=${server.token}`);
      await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
      expect(await seriousViolationsIn(page)).toEqual([]);
      await page.getByRole("searchbox", { name: /Filter/ }).fill("is:nothing");
      await expect(page.getByText("character 1", { exact: true })).toBeVisible();
      expect(await seriousViolationsIn(page)).toEqual([]);
    });

    test("a session, opened rows and the inspector have no serious accessibility violations", async ({
      page,
    }) => {
      await page.goto(`${server.url}/sessions/${SESSION}?detail=everything#t=${server.token}`);
      const session = new SessionPage(page);
      await session.ready();
      await session.press("j", "e", "i");
      await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
      await expect(page.getByText("Reading the log")).toHaveCount(0);
      expect(await seriousViolationsIn(page)).toEqual([]);
    });
  });
}

test("a narrow session has no serious accessibility violations", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/sessions/${SESSION}#t=${server.token}`);
  await new SessionPage(page).ready();
  expect(await seriousViolationsIn(page)).toEqual([]);
  await page.getByRole("button", { name: "Turns" }).click();
  await expect(page.getByRole("complementary", { name: "Outline" })).toBeVisible();
  expect(await seriousViolationsIn(page)).toEqual([]);
});

test.describe("in forced colours", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("the graph and the waterfall are drawn, and what is selected, pressed or pointed at can be seen", async ({
    page,
  }) => {
    for (const view of ["graph", "waterfall"]) {
      await page.goto(`${server.url}/sessions/${SESSION}?view=${view}#t=${server.token}`);
      const canvas = page.locator("canvas").last();
      const colours = () =>
        canvas.evaluate((element: HTMLCanvasElement) => {
          const data = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data;
          return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer())).size;
        });
      await expect.poll(colours, view).toBeGreaterThan(4);
    }
    await page.goto(`${server.url}/sessions/${SESSION}#t=${server.token}`);
    const session = new SessionPage(page);
    await session.ready();
    await session.press("j");
    const outlines = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((found) => found.map((one) => getComputedStyle(one).outlineStyle))
        .then((styles) => [...new Set(styles)]);
    expect(await outlines('article[tabindex="0"] .bg-sel')).toEqual(["solid"]);
    expect(await outlines('[aria-pressed="true"]')).toEqual(["solid"]);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await session.press("ArrowDown");
    expect(await outlines("[data-highlighted]")).toEqual(["solid"]);
  });
});

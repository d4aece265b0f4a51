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

import { expect } from "@playwright/test";
import { seriousViolationsAtOtherWidth, seriousViolationsInBothSchemes } from "./support/accessibility";
import type { TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
test.beforeAll(({ samples }) => {
  server = samples;
});

const link = (path: string) => `${server.url}${path}#t=${server.token}`;

test("a file's sessions are listed, the newest first, and lead to its versions; the palette offers them", async ({
  page,
}) => {
  // From the files that were lately changed, and back to them.
  await page.goto(link("/files"));
  const known = page.getByRole("list", { name: "Lately changed" });
  await known.getByRole("link", { name: "src/checkout.js" }).first().click();
  const list = page.getByRole("list", { name: "Sessions that changed it" });
  await expect(list).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await page.goBack();
  await expect(known).toBeVisible();
  await expect(page.getByLabel("Path of a file")).toHaveValue("");
  // A part of a name finds no session, but the files.
  await page.getByLabel("Path of a file").fill("checko");
  await page
    .getByRole("list", { name: /part of these/ })
    .getByRole("link", { name: "src/checkout.js" })
    .first()
    .waitFor();
  // With a line, as it is copied from elsewhere.
  await page.getByLabel("Path of a file").fill("checkout.js:12");
  const files = list.getByRole("link", { name: /src\/checkout\.js$/ });
  await expect(files.first()).toBeVisible();
  const times = await list
    .locator("time")
    .evaluateAll((all) => all.map((one) => one.getAttribute("datetime")));
  expect(times).toEqual(times.toSorted((one, other) => (other ?? "").localeCompare(one ?? "")));
  await files.first().click();
  await expect(
    page.getByRole("region", { name: "File", exact: true }).getByRole("heading", { name: /checkout\.js/ }),
  ).toBeVisible();
  await page.getByRole("link", { name: "All sessions" }).click();
  await expect(page).toHaveURL(/\/files\?path=.*checkout\.js$/);
  await expect(list).toBeVisible();

  await test.step("which has no serious finding of axe, wide and narrow", async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const found =
        width === 1440 ? seriousViolationsInBothSchemes(page) : seriousViolationsAtOtherWidth(page);
      expect(await found, `at ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  await test.step("the palette offers the sessions of a file that is named in it", async () => {
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.getByRole("link", { name: "Backscroll" }).click();
    // Keys are heard from when the page is drawn, and what they open closes with the page before it.
    await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").first().fill("checkout.js");
    await page.getByRole("option", { name: "Sessions that changed checkout.js" }).click();
    await expect(page).toHaveURL(/\/files\?path=checkout\.js/);
    await page.getByRole("textbox", { name: "Path of a file" }).fill("nowhere.js");
    await expect(page.getByText("No session changed or read such a file")).toBeVisible();
    await expect(page).toHaveURL(/path=nowhere\.js/);
  });
});

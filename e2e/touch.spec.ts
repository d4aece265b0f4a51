import { expect, type Locator } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { test } from "./support/test";
import { smallTargetsOf, touchedSize } from "./support/touch-targets";
import { watchRequests } from "./support/watch-requests";

/* On a screen that is touched: a phone's width, where a test names no other. */

/** "Charged twice", the longest of the sample sessions. */
const SAMPLE = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";

test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

test("in the library a tap tells all of a warning, what a pointer shows by hovering is there, and what stands in a field is large enough", async ({
  page,
  samples: server,
}) => {
  const message = "Permission denied";
  const hint = "Check who may read it.";
  const path = `/home/dev/${"somewhere/".repeat(8)}projects`;
  await page.route("**/api/health", async (route) => {
    const answer = await route.fetch();
    const health = { ...(await answer.json()), warnings: [{ code: "unreadable", message, hint, path }] };
    await route.fulfill({ response: answer, json: health });
  });
  await page.goto(`${server.url}/?q=is:error#t=${server.token}`);
  for (const text of [message, path]) {
    const words = page.getByText(text);
    await expect(words).toBeVisible();
    expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth), "nothing is cut").toBe(0);
  }
  await page.getByRole("button", { name: "How to fix" }).tap();
  await expect(page.getByText(hint)).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "How to fix" }).tap();
  await expect(page.getByText(hint)).toHaveCount(0);

  await page.setViewportSize({ width: 1024, height: 700 });
  // Before the logs are read it is told that no session has an error, with a button that clears the filter, too.
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  const menu = page.getByRole("button", { name: /^Star, note or hide/ }).first();
  await expect(menu).toHaveCSS("opacity", "1");
  for (const name of ["Save this search", "Clear filter"]) {
    const box = await page.getByRole("button", { name }).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(24);
  }
  await page.getByRole("button", { name: "Clear filter" }).tap();
  await expect(page.getByRole("searchbox", { name: /^Filter by title/ })).toBeFocused();
});

test("on every page a finger finds what is to be pressed, 24 px or with as much room", async ({
  page,
  samples: server,
}) => {
  const allRead = watchRequests(page);
  const expectNoneSmall = async (what: string) => {
    await allRead();
    expect.soft(await smallTargetsOf(page), what).toEqual([]);
  };
  const expectTouchable = async (buttons: readonly Locator[]) => {
    for (const button of buttons) {
      await expect(button).toBeVisible();
      expect
        .soft(Math.min(...(await button.evaluate(touchedSize))), String(button))
        .toBeGreaterThanOrEqual(24);
    }
  };
  const session = await SessionPage.open(page, server, SAMPLE);
  // The page has its token by then.
  await expect(page.getByRole("banner").getByRole("button").last()).toBeVisible();
  await expectNoneSmall("the session");

  await test.step("the small buttons of a turn and of an agent’s row take a finger beside them", async () => {
    const named = (name: string) => session.thread.getByRole("button", { name }).first();
    await expectTouchable(["Fold turn 1", "Brief", "Open Trace a payment beside"].map(named));
    await session.press("j");
    await expectNoneSmall("a row that is selected");
    // On a tablet the mark of a turn's comments stands right beside its number.
    await page.setViewportSize({ width: 820, height: 1000 });
    const ofRow = (name: string) => session.thread.getByRole("article").getByRole("button", { name }).first();
    await expectTouchable(["Fold turn 1", "Comment on this row"].map(ofRow));
  });

  await test.step("on a tablet the views, figures and keys of a session are large enough", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const figure = session.rows.getByTitle(/^API-equivalent/);
    await expectTouchable([
      page.getByRole("group", { name: "View" }).getByRole("button", { name: "Waterfall" }),
      page.getByRole("group", { name: "Detail" }).getByRole("button", { name: "Tools" }),
      page.getByRole("contentinfo").getByRole("button", { name: "Settings" }),
      session.thread.getByTitle("All changes of this turn").first(),
      figure.first(),
      figure.nth(1),
    ]);
  });

  await page.setViewportSize({ width: 390, height: 700 });
  for (const [key, shown] of [
    ["i", page.getByRole("region", { name: "Inspector" })],
    ["b", page.getByRole("region", { name: "Turn 1 in brief" })],
    ["s", page.getByRole("dialog", { name: "Share this view" })],
    ["x", page.getByRole("dialog", { name: "Export" })],
    ["t", page.getByRole("dialog")],
    ["w", page.getByRole("region", { name: "Waterfall" })],
    ["C", page.getByRole("region", { name: "Context over time" })],
    ["D", page.getByRole("region", { name: "Changes" })],
  ] as const) {
    await session.press(key);
    await expect(shown, key).toBeVisible();
    await expectNoneSmall(`the session, ${key}`);
    await session.press(key === "b" ? "b" : "Escape");
    await expect(shown, `after ${key}`).toBeHidden();
  }

  for (const path of [
    "/search?q=charge",
    "/usage",
    "/usage?view=prompts",
    "/prompts",
    "/files?path=checkout.js",
    "/doctor",
    "/",
  ]) {
    await page.goto(server.url + path);
    await expect(page.getByRole("banner").getByRole("button").last()).toBeVisible();
    await expectNoneSmall(path);
  }
  await page.keyboard.press(",");
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await expectNoneSmall("the settings");
});

test("find tells what is wrong with an expression, and shows hidden matches by a tap", async ({
  page,
  samples: server,
}) => {
  await SessionPage.open(page, server, `${SAMPLE}?detail=prompts&q=checkout`);
  await page.getByRole("button", { name: /^Show everything, with [\d,]+ hidden/ }).tap();
  await expect(page).toHaveURL(/detail=everything/);
  await page.getByRole("searchbox", { name: "Find in session" }).fill("/function[/");
  await expect(page.getByText("Not a regular expression")).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.getByRole("button", { name: "Close find" }).tap();
  await expect(page.getByRole("button", { name: "Everything", exact: true })).toBeInViewport({ ratio: 1 });
});

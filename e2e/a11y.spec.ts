import { expect, type Locator } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsIn, seriousViolationsInBothSchemes } from "./support/accessibility";
import { LONG_SESSION, LongLog } from "./support/long-log";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const FIXTURES = fixtureFolder("2.1.330");
const SESSION = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

/** A session of text from right to left. */
let log: LongLog;
const ARABIC =
  `\u0623\u0639\u062f \u0643\u062a\u0627\u0628\u0629 \u0627\u0644\u0645\u0633\u0627\u0639\u062f `.repeat(12);

let server: TestServer;
test.beforeAll(async () => {
  log = new LongLog();
  log.prompt(ARABIC);
  log.say(`${ARABIC}\n\n- ${ARABIC}`);
  log.save();
  server = await startServer({ claudeDirs: [FIXTURES, log.dir] });
});
test.afterAll(async () => {
  await server.stop();
  log.remove();
});

test("the library has no serious accessibility violations", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await page.getByRole("searchbox", { name: /Filter/ }).fill("is:nothing");
  await expect(page.getByText("character 1", { exact: true })).toBeVisible();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
});

test("a session, opened rows and the inspector have no serious accessibility violations", async ({
  page,
}) => {
  const session = await SessionPage.open(page, server, `${SESSION}?detail=everything`);
  await session.press("j", "e", "i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await expect(page.getByText("Reading the log")).toHaveCount(0);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
});

test("a narrow session has no serious accessibility violations", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/sessions/${SESSION}#t=${server.token}`);
  await new SessionPage(page).ready();
  expect(await seriousViolationsIn(page)).toEqual([]);
  await page.getByRole("button", { name: "Turns" }).click();
  await expect(page.getByRole("complementary", { name: "Outline" })).toBeVisible();
  expect(await seriousViolationsIn(page)).toEqual([]);
});

/** How the frame of what has the focus is cut off by something around it; `null` where it is whole. */
function cutFrame(focused: Element): string | null {
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
  if (outlineStyle === "none") return null;
  const beyond = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const frame = focused.getBoundingClientRect();
  for (let box = focused.parentElement; box; box = box.parentElement) {
    if (getComputedStyle(box).overflowX === "visible") continue;
    const edge = box.getBoundingClientRect();
    // An element in a bar of one line may be a pixel higher than the bar.
    if (edge.left - frame.left + beyond > 1.5 || frame.right + beyond - edge.right > 1.5)
      return `${focused.ariaLabel ?? focused.textContent} in ${box.className}`;
  }
  return null;
}

test("what has the focus shows it: its frame is within what scrolls or cuts around it", async ({ page }) => {
  for (const path of ["/doctor", `/sessions/${SESSION}?view=changes`, `/sessions/${SESSION}`]) {
    await page.goto(`${server.url}${path}#t=${server.token}`);
    await expect(page.locator("main:not([inert] *)")).toBeVisible();
    await expect(page.getByText("Reading the log")).toHaveCount(0);
    const cut: (string | null)[] = [];
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press("Tab");
      cut.push(
        await page
          .locator(":focus")
          .evaluate(cutFrame, undefined, { timeout: 500 })
          .catch(() => null),
      );
    }
    expect.soft(new Set(cut.filter((one) => one !== null)), path).toEqual(new Set());
  }
});

test.describe("in forced colours", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("the graph and the waterfall are drawn, and what is selected, pressed or pointed at can be seen", async ({
    page,
  }) => {
    const session = await SessionPage.open(page, server, SESSION);
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
    await session.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);

    const show = (view: string) =>
      page.getByRole("group", { name: "View" }).getByRole("button", { name: view }).click();
    for (const view of ["Graph", "Waterfall"]) {
      await show(view);
      const canvas = page.locator(`[data-${view.toLowerCase()}] canvas`).last();
      const colours = () =>
        canvas.evaluate((element: HTMLCanvasElement) => {
          // Until it is laid out it has no size: there would be nothing to read, which a poll takes for its end.
          if (element.width * element.height === 0) return 0;
          const data = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data;
          return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer())).size;
        });
      await expect.poll(colours, view).toBeGreaterThan(4);
    }
    await show("Context");
    const legend = page.locator("figcaption span[aria-hidden][style]");
    await expect(legend.first()).toBeAttached();
    const grounds = await legend.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).backgroundColor),
    );
    expect(new Set(grounds).size, "the chart's legend").toBe(grounds.length);
  });
});

/** Whether a text's first letter is in its box, and in the right half of that. */
function beginsAtRight(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    range.setStart(letters.nextNode() ?? element, 0);
    range.setEnd(range.startContainer, 1);
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return letter.left > (box.left + box.right) / 2 && letter.right < box.right + 1;
  });
}

test("a text from right to left begins at the right, also where it is cut", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 700 });
  await page.goto(`${server.url}/#t=${server.token}`);
  const row = page.locator(`a[href*="${LONG_SESSION}"]`).locator("..");
  await expect.poll(() => beginsAtRight(row), "the library").toBe(true);
  await page.locator(`a[href*="${LONG_SESSION}"]`).click();
  await new SessionPage(page).ready();
  for (const part of ["h1", "article h2", "article [data-markdown] p", "article [data-markdown] li"])
    await expect.poll(() => beginsAtRight(page.locator(part).first()), part).toBe(true);
});

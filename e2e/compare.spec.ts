import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { SessionsResponse } from "@/lib/wire/library";
import type { CreatedShare } from "@/lib/wire/shares";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsAtOtherWidth, seriousViolationsInBothSchemes } from "./support/accessibility";
import type { RecordedServer } from "./support/serve-recordings";
import { test } from "./support/test";

let server: RecordedServer;
/** Scenario → the session that it recorded. */
let session: Record<"rewound" | "other", string> & { renamed: string[] };
test.beforeAll(({ recorded }) => {
  server = recorded;
  const { scenarios } = JSON.parse(readFileSync(join(server.recordings[0].dir, "manifest.json"), "utf8"));
  const first = (name: string): string => scenarios[name].session ?? scenarios[name].sessions[0];
  session = {
    rewound: first("tui-rewind-code"),
    other: first("tui-rewind"),
    renamed: scenarios["tui-basic"].sessions,
  };
});

const link = (query: string) => `${server.url}/sessions/${session.rewound}?${query}#t=${server.token}`;
const view = (page: Page) => page.getByRole("region", { name: "Compare" });

test("branches stand beside each other from a fork, with their rows and files, and Back leads out", async ({
  page,
}) => {
  await page.goto(link(""));
  const reader = new SessionPage(page);
  await reader.ready();
  await reader.thread.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/view=compare/);
  const compare = view(page);
  await expect(compare.getByText("Stem, the same on both")).toBeVisible();
  const turns = compare.getByRole("list", { name: "Turns beside each other" });
  await expect(turns.getByRole("button", { name: /First prompt/ })).toBeVisible();
  await expect(turns.getByRole("button", { name: /A different first prompt/ })).toBeVisible();
  await expect(
    turns.locator("li").filter({ hasText: "hello.py" }).filter({ hasText: "prices.json" }).first(),
  ).toContainText("differs");
  const files = compare.getByRole("region", { name: "Files as they ended" });
  await files.getByRole("button", { name: /hello\.py/ }).click();
  await expect(page).toHaveURL(/file=/);
  await expect(
    files.getByRole("region", { name: "Difference" }).getByText("Helo", { exact: false }).first(),
  ).toBeVisible();
  await page.goBack();
  await expect(compare).toHaveCount(0);
  await expect(page).not.toHaveURL(/view=/);

  await test.step("by keyboard it opens, goes through the rows and differences, swaps, and opens a row in the thread", async () => {
    await page.keyboard.press("=");
    const current = compare.locator('li[aria-current="true"]');
    await expect(compare.getByRole("button", { name: /A different first prompt/ }).last()).toBeVisible();
    await page.keyboard.press("j");
    await expect(current).toContainText("A different first prompt");
    await page.keyboard.press("n");
    await expect(current).toContainText("only left");
    await page.keyboard.press("X");
    await expect(page).toHaveURL(/left=.*right=/);
    await expect(current).toContainText("only right");
    await page.keyboard.press("Enter");
    // It was left, so it stands on another branch.
    await expect(page).toHaveURL(/branch=/);
    await expect(page.locator('article[tabindex="0"]')).toBeVisible();
    await page.goBack();
    await expect(compare).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(compare).toHaveCount(0);
  });
});

test("a branch that is selected in the graph stands beside the active one", async ({ page }) => {
  await page.goto(link("view=graph"));
  const panel = page.getByRole("complementary", { name: "Selected" });
  await expect(panel).toBeVisible();
  const ways = panel.getByRole("region", { name: "Branches from here" });
  // Up to the fork.
  await expect(async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(ways).toBeVisible({ timeout: 300 });
  }).toPass();
  await ways.getByRole("button", { name: /First prompt/ }).click();
  await panel.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/view=compare.*left=/);
  await expect(view(page).getByText("Stem, the same on both")).toBeVisible();
  await page.goBack();
  await expect(panel).toBeVisible();
});

test("only differences leaves out what is the same", async ({ page }) => {
  await page.goto(link(`view=compare&right=${session.other}`));
  const compare = view(page);
  await expect(compare.getByText("no history in common")).toBeVisible();
  const same = compare.locator('li[data-compare="rows"]').filter({ hasText: "the same" });
  const differs = compare.locator('li[data-compare="rows"]').filter({ hasNotText: "the same" });
  await expect(differs.first()).toBeVisible();
  await compare.getByRole("button", { name: "Only differences" }).click();
  await expect(same).toHaveCount(0);
  await expect(differs.first()).toBeVisible();
  // Whoever comes back to it, or gets its address, sees them as they were.
  await compare.getByRole("button", { name: "Back to the thread" }).click();
  await expect(compare).toHaveCount(0);
  await page.goBack();
  await expect(differs.first()).toBeVisible();
  await expect(compare.getByRole("button", { name: "Only differences" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(same).toHaveCount(0);
});

test("what an event is called is read whole where there is room for it", async ({ page }) => {
  await page.goto(
    `${server.url}/sessions/${session.renamed[0]}?view=compare&right=${session.renamed[1]}#t=${server.token}`,
  );
  const compare = view(page);
  const isWhole = (element: Element) => element.scrollWidth <= element.clientWidth;
  for (const words of ["Read into the prompt: hello.py", "/rename my renamed session"]) {
    const name = compare.getByText(words, { exact: true }).first();
    await expect(name).toBeVisible();
    expect(await name.evaluate(isWhole)).toBe(true);
  }
});

test("the stem unfolds to its turns, by a click and by key, and each leads to the thread", async ({
  page,
}) => {
  const unfolded = new URLSearchParams({ view: "compare" });
  await page.goto(`${server.url}/sessions/${session.other}?${unfolded}#t=${server.token}`);
  const compare = view(page);
  const stem = compare.getByRole("button", { name: /Stem, the same on both/ });
  const turns = compare.getByRole("list", { name: "Turns of the stem" });
  await expect(stem).toHaveAttribute("aria-expanded", "false");
  await stem.click();
  await expect(turns.getByRole("button")).toHaveCount(1);
  await expect(turns.getByRole("button", { name: /First prompt.*6 tools/ })).toBeVisible();
  await page.keyboard.press("o");
  await expect(turns).toHaveCount(0);
  await page.keyboard.press("o");
  await turns.getByRole("button", { name: /First prompt/ }).click();
  await expect(page).not.toHaveURL(/view=/);
  await expect(page.locator('article[tabindex="0"]')).toContainText("First prompt");
  await page.goBack();
  await expect(compare).toBeVisible();
});

/** Has what would be printed written down in place of the browser's dialog. */
async function recordPaper(page: Page): Promise<() => Promise<string | null>> {
  const recordSheet = () => {
    const text = document.querySelector("[data-print-sheet]")?.textContent ?? "";
    Object.assign(window, { paper: text });
  };
  await page.addInitScript(`window.print = ${recordSheet.toString()}`);
  await page.addInitScript(`addEventListener("beforeprint", () => setTimeout(${recordSheet.toString()}))`);
  return () => page.evaluate(() => (window as unknown as { paper?: string }).paper ?? null);
}

test("a comparison is printed by key and by the browser's own command: its lines, and the difference of every file that differs; on screen axe finds nothing serious", async ({
  page,
}) => {
  const paper = await recordPaper(page);
  await page.goto(link("view=compare"));
  const compare = view(page);
  await expect(compare.locator('li[data-compare="rows"]').first()).toBeVisible();
  for (const [how, print] of [
    ["by key", () => page.keyboard.press("Control+p")],
    ["by the browser's own command", () => page.evaluate(() => void dispatchEvent(new Event("beforeprint")))],
  ] as const)
    await test.step(how, async () => {
      await page.evaluate(() => Object.assign(window, { paper: undefined }));
      await print();
      await expect.poll(paper).not.toBeNull();
      const printed = (await paper()) ?? "";
      expect(printed).toMatch(/Branches \d and \d of \d, compared/);
      expect(printed).toContain("Stem, the same on both");
      expect(printed).toContain("A different first prompt");
      expect(printed).toContain("Files as they ended");
      // Of both files, not of the one alone that is shown on screen.
      const [, files = ""] = printed.split("Files as they ended");
      expect(files.match(/@@/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
      await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
    });

  await test.step("it has no serious finding of axe, wide and narrow", async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(view(page).locator('li[data-compare="rows"]').first()).toBeVisible();
      await expect(
        view(page).getByRole("region", { name: "Difference" }).getByText("@@").first(),
      ).toBeVisible();
      const found =
        width === 1440 ? seriousViolationsInBothSchemes(page) : seriousViolationsAtOtherWidth(page);
      expect(await found, `at ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

test("two sessions that are selected in the library are compared", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const bar = page.getByRole("toolbar", { name: "Selected sessions" });
  await expect(bar.getByRole("button", { name: "Compare" })).toHaveCount(0);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await bar.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/view=compare&right=/);
  await expect(view(page).getByText("two sessions")).toBeVisible();
  // On a phone, too, where there is no key to select with: then a tap anywhere on a row selects it.
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`${server.url}/#t=${server.token}`);
  await page.getByRole("button", { name: "Select sessions" }).click();
  for (const n of [0, 1])
    await page
      .locator("main [role=row]")
      .filter({ has: page.getByRole("checkbox") })
      .nth(n)
      .click();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await bar.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/view=compare&right=/);
});

test("a guest compares branches of the session that was shared, and no other session", async ({
  page,
  request,
}) => {
  const headers = { authorization: `Bearer ${server.token}` };
  const list = (await (
    await request.get(`${server.url}/api/sessions`, { headers })
  ).json()) as SessionsResponse;
  const other = list.sessions.find(({ id }) => id.includes(session.other))?.id ?? "";
  const share = (await (
    await request.post(`${server.url}/api/shares`, { headers, data: { sessionId: session.rewound } })
  ).json()) as CreatedShare;
  const { token } = share;
  const path = `${server.url}${share.path.replace(/[?#].*$/, "")}`;
  const id = /sessions\/([^/?#]+)/.exec(path)?.[1] ?? "";
  const guest = { authorization: `Bearer ${token}` };
  const ask = (query: string) =>
    request.get(`${server.url}/api/sessions/${id}/compare?${query}`, { headers: guest });
  // The guest’s copy is read first.
  await expect.poll(async () => (await ask("")).status()).toBe(200);
  expect((await ask(`right=${other}`)).status()).toBe(404);
  expect((await ask(`left=${other}&pair=0`)).status()).toBe(404);
  await page.goto(`${path}?view=compare#t=${token}`);
  await expect(view(page).getByText("Stem, the same on both")).toBeVisible();
});

for (const [size, width, height] of [
  ["wide", 1440, 420],
  ["narrow", 390, 500],
] as const)
  test(`whoever goes to a row comes back to the comparison as it was, on a ${size} page`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(link("view=compare"));
    const list = page.locator('[data-compare="list"]');
    const scrolled = size === "wide" ? list : view(page);
    const heads = list.locator('li[data-compare="turns"] button[aria-expanded]');
    const rows = list.locator('li[data-compare="rows"] button');
    await expect(rows.first()).toBeVisible();
    await list.getByRole("button", { name: /^Stem/ }).click();
    // What stands in the place of the stem's turns while they are loaded has another height.
    await expect(list.getByRole("list", { name: "Turns of the stem" })).toBeVisible();
    const open = await heads.evaluateAll((all) => all.map((one) => one.getAttribute("aria-expanded")));
    await rows.last().scrollIntoViewIfNeeded();
    const topPx = await scrolled.evaluate(({ scrollTop }) => scrollTop);
    expect(topPx).toBeGreaterThan(50);
    await rows.last().click();
    await expect(page).not.toHaveURL(/view=compare/);
    await page.goBack();
    await expect(list.getByRole("button", { name: /^Stem/ })).toHaveAttribute("aria-expanded", "true");
    await expect.poll(() => scrolled.evaluate(({ scrollTop }) => scrollTop)).toBe(topPx);
    expect(await heads.evaluateAll((all) => all.map((one) => one.getAttribute("aria-expanded")))).toEqual(
      open,
    );
  });

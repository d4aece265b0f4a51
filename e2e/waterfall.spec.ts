import { type APIRequestContext, expect, type Page } from "@playwright/test";
import type { SpansResponse } from "@/lib/wire/spans";
import { SessionPage } from "./pages/session-page";
import {
  seriousViolationsAtOtherWidth,
  seriousViolationsIn,
  seriousViolationsInBothSchemes,
} from "./support/accessibility";
import type { RecordedServer } from "./support/serve-recordings";
import { test } from "./support/test";

/** An agent in the foreground, with calls of its own. */
const DELEGATED = "c504bc7d-ff4f-4d58-bb81-295465634272";
/** A call that was allowed, and one that was refused. */
const ASKED = "7e0d016e-228e-4ca0-ba51-ccfb2322a9a1";

/** Of three turns the first changed three files, one after another. */
const EDITED = "bc3eabb5-f3f0-40ee-93ba-9144e383217c";

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

const link = (session: string, query = "") => `${server.url}/sessions/${session}${query}#t=${server.token}`;
const steps = (page: Page) => page.getByRole("listbox", { name: "Steps by time" });
const selected = (page: Page) => steps(page).getByRole("option", { selected: true });

test("from a link, through the steps by keys, to a row and back", async ({ page }) => {
  await page.goto(link(DELEGATED, "?view=waterfall"));
  await expect(steps(page)).toBeFocused();
  await expect(selected(page)).toHaveText(/^Turn 1, .*609 ms/);
  await page.keyboard.press("ArrowDown");
  await expect(selected(page)).toHaveText(/^model .*163 ms.*on the critical path/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(selected(page)).toHaveText(/^Bash .*78 ms/);
  await page.keyboard.press("ArrowLeft");
  const agent = await selected(page).textContent();
  expect(agent).toMatch(/315 ms/);
  // The thread's row, which stays where it was, is not told as the place of this view.
  const place = page.getByRole("contentinfo").getByText(/^row \d+ of/);
  await expect(place).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/view=/);
  const reader = new SessionPage(page);
  await reader.ready();
  await expect(place).toBeVisible();
  await expect(reader.rows.filter({ hasText: "Agent" }).first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/view=waterfall/);
  await expect(selected(page)).toHaveText(agent ?? "");

  await test.step("it has no serious accessibility violations, wide and narrow", async () => {
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Summary" }).click();
    await expect(page.getByRole("list", { name: "Slowest steps" })).toBeVisible();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test("from a row to its step, and back to where the reader was", async ({ page }) => {
  await page.goto(link(ASKED));
  const reader = new SessionPage(page);
  await reader.ready();
  const refused = reader.rows.filter({ hasText: "Write" }).filter({ hasText: "denied" }).first();
  await refused.click();
  await reader.press("w");
  await expect(selected(page)).toHaveText(/^Write .*2.6 s.*denied, waiting for permission/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(selected(page)).toHaveText(/^Bash .*≤ 1.2 s.*may be waiting for permission/);
  await reader.press("w");
  await expect(page).not.toHaveURL(/view=/);
  await reader.ready();
  await expect(refused).toHaveAttribute("tabindex", "0");
  await reader.press("w");
  await expect(selected(page)).toHaveText(/^Write/);
  await page.goBack();
  await expect(page).not.toHaveURL(/view=/);

  await test.step("a line that is clicked is selected, and goes to its row when it is clicked twice", async () => {
    await reader.press("w");
    await expect(steps(page)).toBeFocused();
    const canvas = page.locator("[data-waterfall] canvas");
    const line = { position: { x: 120, y: 24 + 24 * 2 + 12 } };
    await canvas.click(line);
    await expect(selected(page)).toHaveText(/^Bash/);
    await canvas.dblclick(line);
    await expect(page).not.toHaveURL(/view=/);
  });
});

/** Drags over a part of the chart's width, and lets go. */
async function dragOver(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator("[data-waterfall] canvas").boundingBox();
  if (!box) throw new Error("no chart");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

test("a step of an agent leads to its row, and what is selected of the time has totals and slowest steps of its own", async ({
  page,
}) => {
  await page.goto(link(DELEGATED, "?view=waterfall"));

  await test.step("a step of an agent leads to its row in the agent's thread", async () => {
    await page.getByRole("list", { name: "Slowest steps" }).getByRole("button", { name: /^Bash/ }).click();
    await expect(selected(page)).toHaveText(/^Bash .*78 ms/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/agent=/);
    await new SessionPage(page).ready();
    await page.goBack();
    await expect(selected(page)).toHaveText(/^Bash .*78 ms/);
  });

  await expect(steps(page)).toBeFocused();
  const panel = page.getByRole("complementary", { name: "Where the time went" });
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toBeVisible();
  await dragOver(page, 0.5, 0.6);
  await expect(panel.getByRole("heading", { name: "Slowest in this part" })).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toHaveCount(0);
  await expect(page).toHaveURL(/range=\d+-\d+/);
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toBeVisible();
  await expect(page).not.toHaveURL(/range=/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/view=/);
});

/** The first second of the session: its greeting was edited twice in it. */
async function firstSecond(request: APIRequestContext): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}` };
  const ask = () => request.get(`${server.url}/api/sessions/${EDITED}/spans`, { headers });
  // The log is read first.
  await expect.poll(async () => (await ask()).status()).toBe(200);
  const [first] = (await (await ask()).json()) as SpansResponse;
  if (!first) throw new Error("no spans");
  return `range=${first.startMs}-${first.startMs + 1_000}`;
}

test("a part of the time that is selected filters the outline and the changes, until it is given up", async ({
  page,
}) => {
  await page.goto(link(EDITED, "?view=waterfall"));
  await expect(steps(page)).toBeFocused();
  await expect(selected(page)).toHaveText(/^Turn 1, First prompt/);
  // The first turn is as wide as the chart: what is selected begins before its edits.
  await dragOver(page, 0.34, 0.6);
  const panel = page.getByRole("complementary", { name: "Where the time went" });
  await expect(panel.getByText("1 of 3 turns")).toBeVisible();
  await expect(panel.getByText(/^Outline, changes and find show this part alone/)).toBeVisible();
  await expect(page).toHaveURL(/range=/);
  await panel.getByRole("button", { name: "Changes" }).click();
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.getByRole("article", { name: "hello.py" })).toBeVisible();
  await expect(changes.getByRole("article", { name: "README.md" })).toHaveCount(0);
  await page.goBack();
  await expect(panel.getByText("1 of 3 turns")).toBeVisible();
  await page.getByRole("button", { name: "Back to the thread" }).click();
  await expect(page).not.toHaveURL(/view=/);
  const outline = page.getByRole("complementary", { name: "Outline" });
  await expect(outline.getByText("1 of 3 turns")).toBeVisible();
  // The first turn's rows are marked, those of later turns are not; find counts what lies elsewhere.
  const marked = page.getByTitle("In the selected part of the session");
  await expect(marked.first()).toBeVisible();
  await expect(page.locator("main article").filter({ hasText: "Going on in the branch" })).toBeVisible();
  const other = page.locator("main article").filter({ hasText: "Going on in the branch" });
  await expect(other.getByTitle("In the selected part of the session")).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Find in session" }).fill("branch");
  await page.getByRole("button", { name: /Show the whole session, with \d+ match/ }).waitFor();
  await page.getByRole("button", { name: "Close find" }).click();
  await expect(outline.getByRole("button", { name: /First prompt/ })).toBeVisible();
  await expect(outline.getByRole("button", { name: /branch/ })).toHaveCount(0);
  await outline.getByRole("button", { name: "Show the whole session" }).click();
  await expect(outline.getByRole("button", { name: /Going on in the branch/ })).toBeVisible();
  await expect(page).not.toHaveURL(/range=/);
});

/** Nor is the page wider than its window. */
async function expectNoBarriers(page: Page, what: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.getByText(/^1 of 3/).first()).toBeVisible();
    const found = width === 1440 ? seriousViolationsIn(page) : seriousViolationsAtOtherWidth(page);
    expect(await found, `${what} at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a link to a part of the time shows what changed in it, keeps it over a reload, and has no serious finding of axe, wide and narrow", async ({
  page,
  request,
}) => {
  const range = await firstSecond(request);
  await page.goto(link(EDITED, `?view=changes&${range}`));
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.getByText("1 of 3 files")).toBeVisible();
  await page.reload();
  await expect(changes.getByRole("article")).toHaveCount(1);
  await expect(changes.getByRole("article", { name: "hello.py" })).toContainText("2 changes");
  await expectNoBarriers(page, "the changes");
  await changes.getByRole("button", { name: "Show the whole session" }).click();
  await expect(changes.getByRole("article")).toHaveCount(3);
  await page.goto(link(EDITED, `?${range}`));
  const outline = page.getByRole("complementary", { name: "Outline" });
  await expect(outline.getByText("1 of 3 turns")).toBeVisible();
  await outline.getByRole("tab", { name: /Files/ }).click();
  await expect(outline.getByRole("button", { name: /hello\.py/ })).toBeVisible();
  await expect(outline.getByRole("button", { name: /README\.md/ })).toHaveCount(0);
  await page.goto(link(EDITED, `?sheet=outline&${range}`));
  await expectNoBarriers(page, "the outline");
});

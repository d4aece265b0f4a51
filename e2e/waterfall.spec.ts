import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";

/** An agent in the foreground, with calls of its own. */
const DELEGATED = "c504bc7d-ff4f-4d58-bb81-295465634272";
/** A call that was allowed, and one that was refused. */
const ASKED = "7e0d016e-228e-4ca0-ba51-ccfb2322a9a1";

let server: RecordedServer;
test.beforeAll(async () => {
  server = await serveRecordings(["2.1.330"]);
});
test.afterAll(() => server.stop());

const link = (session: string, query = "") => `${server.url}/sessions/${session}${query}#t=${server.token}`;
const steps = (page: Page) => page.getByRole("listbox", { name: "Steps by time" });
const selected = (page: Page) => steps(page).getByRole("option", { selected: true });

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

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
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/view=/);
  const reader = new SessionPage(page);
  await reader.ready();
  await expect(reader.rows.filter({ hasText: "Agent" }).first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/view=waterfall/);
  await expect(selected(page)).toHaveText(agent ?? "");
});

test("a step of an agent leads to its row in the agent's thread", async ({ page }) => {
  await page.goto(link(DELEGATED, "?view=waterfall"));
  await page.getByRole("list", { name: "Slowest steps" }).getByRole("button", { name: /^Bash/ }).click();
  await expect(selected(page)).toHaveText(/^Bash .*78 ms/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/agent=/);
  await new SessionPage(page).ready();
  await page.goBack();
  await expect(selected(page)).toHaveText(/^Bash .*78 ms/);
});

test("from a row to its step, and back to where the reader was", async ({ page }) => {
  await page.goto(link(ASKED));
  const reader = new SessionPage(page);
  await reader.ready();
  const refused = reader.rows.filter({ hasText: "Write" }).filter({ hasText: "denied" }).first();
  await refused.click();
  await reader.press("w");
  await expect(selected(page)).toHaveText(/^Write .*2.6 s.*denied, waiting for your permission/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(selected(page)).toHaveText(/^Bash .*≤ 1.2 s.*may be waiting for your permission/);
  await reader.press("w");
  await expect(page).not.toHaveURL(/view=/);
  await reader.ready();
  await expect(refused).toHaveAttribute("tabindex", "0");
  await reader.press("w");
  await expect(selected(page)).toHaveText(/^Write/);
  await page.goBack();
  await expect(page).not.toHaveURL(/view=/);
});

test("what is selected of the time has totals and slowest steps of its own", async ({ page }) => {
  await page.goto(link(DELEGATED, "?view=waterfall"));
  await expect(steps(page)).toBeFocused();
  const panel = page.getByRole("complementary", { name: "Where the time went" });
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toBeVisible();
  const box = await page.locator("[data-waterfall] canvas").boundingBox();
  if (!box) throw new Error("no chart");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await expect(panel.getByRole("heading", { name: "Slowest in this part" })).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("heading", { name: "Where 609 ms went" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/view=/);
});

test("a line that is clicked is selected, and goes to its row when it is clicked twice", async ({ page }) => {
  await page.goto(link(ASKED, "?view=waterfall"));
  await expect(steps(page)).toBeFocused();
  const canvas = page.locator("[data-waterfall] canvas");
  const line = { position: { x: 120, y: 24 + 24 * 2 + 12 } };
  await canvas.click(line);
  await expect(selected(page)).toHaveText(/^Bash/);
  await canvas.dblclick(line);
  await expect(page).not.toHaveURL(/view=/);
});

for (const colorScheme of ["dark", "light"] as const)
  test(`no serious accessibility violations, wide and narrow, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(link(DELEGATED, "?view=waterfall"));
    await expect(steps(page)).toBeFocused();
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Summary" }).click();
    await expect(page.getByRole("list", { name: "Slowest steps" })).toBeVisible();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { formatCost } from "@/lib/format/format";
import type { SessionsResponse } from "@/lib/wire/library";
import type { UsageResponse } from "@/lib/wire/usage";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsAtOtherWidth, seriousViolationsInBothSchemes } from "./support/accessibility";
import { ALONE, builtServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");

let server: TestServer;
test.beforeAll(async ({ samples }) => {
  server = samples;
  await expect.poll(async () => (await usage("by=day")).complete).toBe(true);
});

async function get<T>(path: string): Promise<T> {
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  return (await fetch(`${server.url}/api/${path}`, { headers })).json() as Promise<T>;
}

const usage = (query: string) => get<UsageResponse>(`usage?${query}`);

async function open(page: Page, query = ""): Promise<void> {
  await page.goto(`${server.url}/usage${query}#t=${server.token}`);
  await expect(page.getByRole("table")).toBeVisible();
}

const cost = ({ costMicroUsd, unpricedTokens }: UsageResponse["totals"]) =>
  formatCost(costMicroUsd, unpricedTokens);

/** The names of the table's rows, from the top. */
const names = (page: Page) => page.locator("tbody th").allTextContents();

test("totals, table, chart and download are those of the API, by whatever is chosen, within anybody's reach", async ({
  page,
}) => {
  await open(page);
  const byDay = await usage("by=day");
  await expect(page.locator("main dl").first()).toContainText(cost(byDay.totals));
  await expect(page.locator("tbody tr")).toHaveCount(byDay.rows.length);

  await test.step("bars are walked through by keys, and one leads to the sessions of its day", async () => {
    const [last] = byDay.rows;
    const bars = page.getByRole("group", { name: "Cost by day" }).getByRole("button");
    await bars.first().focus();
    await page.keyboard.press("End");
    await expect(bars.last()).toBeFocused();
    await expect(page.locator("figcaption")).toContainText(cost(last as UsageResponse["totals"]));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`from=${last?.key}&to=${last?.key}`));
    await expect(page.getByRole("table", { name: "Usage by session" })).toBeVisible();
    const ofDay = await usage(`by=session&from=${last?.key}&to=${last?.key}`);
    await expect(page.locator("tbody tr")).toHaveCount(ofDay.rows.length);
    expect(ofDay.totals.costMicroUsd).toBe(last?.costMicroUsd);
    await page.locator("tbody th a").first().click();
    await new SessionPage(page).ready();
    await page.goBack();
    await page.goBack();
    await expect(page.getByRole("table", { name: "Usage by day" })).toBeVisible();
  });

  await page.getByRole("button", { name: "Model", exact: true }).click();
  const byModel = await usage("by=model");
  await expect(page.getByRole("table", { name: "Usage by model" })).toBeVisible();
  expect(await names(page)).toEqual(byModel.rows.map(({ name }) => name));
  await expect(page.locator("tbody tr").first()).toContainText(
    cost(byModel.rows[0] as UsageResponse["totals"]),
  );
  await expect(page).toHaveURL(/by=model/);
  await page.reload();
  await expect(page.getByRole("table", { name: "Usage by model" })).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download as JSON" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("usage by model.json");
  expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toEqual(byModel);

  // Nothing serious stands in the way of anybody.
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const found = width === 1440 ? seriousViolationsInBothSchemes(page) : seriousViolationsAtOtherWidth(page);
    expect(await found, `at ${width}`).toEqual([]);
    // What is too wide scrolls by itself, never the page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test("the library has what sessions cost, orders them by it and finds the dear ones; usage is a key or an entry away, and goes back there", async ({
  page,
}) => {
  const { sessions } = await get<SessionsResponse>("sessions?sort=cost");
  const costs = sessions.map((session) => session.cost?.microUsd ?? 0);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  const dear = sessions.filter((session) => (session.cost?.microUsd ?? 0) > 200_000);
  expect(dear.length).toBeGreaterThan(0);
  await page.goto(`${server.url}/?sort=cost&q=cost:>0.2#t=${server.token}`);
  await expect(page.locator('main a[href*="/sessions/"]')).toHaveCount(dear.length);
  await expect(page.getByRole("columnheader", { name: "Cost" })).toBeVisible();
  await expect(page.getByRole("cell", { name: formatCost(costs[0] ?? 0, 0) }).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole("cell", { name: formatCost(costs[0] ?? 0, 0) }).first()).toBeVisible();

  await test.step("usage is a key, an entry of the palette and of the library away", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
    await page.keyboard.press("u");
    await expect(page.getByRole("heading", { name: "Usage" })).toBeVisible();
    await page.getByRole("link", { name: "Backscroll" }).click();
    await page.getByRole("link", { name: "Usage" }).click();
    await expect(page.getByRole("table", { name: "Usage by day" })).toBeVisible();
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").first().fill("usage");
    await expect(page.getByRole("option", { name: /Usage and cost/ })).toBeVisible();
  });
});

test("the command line says the same, with prices of one’s own where they are given", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-usage-"));
  const run = (dataDir: string, ...args: string[]) =>
    spawnSync(process.execPath, [CLI, "usage", "--demo", "--data-dir", dataDir, ...args], {
      encoding: "utf8",
      env: { ...process.env, BACKSCROLL_SERVER: builtServer() },
    });
  try {
    const whole = await usage("by=model");
    // Answered by the server that runs; with other prices by one of its own.
    expect(JSON.parse(run(server.dataDir, "--by", "model", "--json").stdout)).toEqual(whole);
    const table = run(server.dataDir, "--by", "model").stdout;
    for (const { name } of whole.rows) expect(table).toContain(name);
    expect(table).toContain(`at prices of ${whole.pricesAsOf}`);
    const own = join(folder, "prices.json");
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    const models = Object.fromEntries(whole.rows.map(({ key }) => [key, [free]]));
    writeFileSync(own, JSON.stringify({ asOf: "2027-01-01", models }));
    const freed = JSON.parse(run(join(folder, "data"), "--prices", own, "--json").stdout) as UsageResponse;
    expect([freed.pricesAsOf, freed.totals.costMicroUsd]).toEqual(["2027-01-01", 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

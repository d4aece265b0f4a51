import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { formatCost } from "@/lib/format/format";
import type { SessionsResponse } from "@/lib/wire/library";
import type { UsageResponse } from "@/lib/wire/usage";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsIn, seriousViolationsInBothSchemes } from "./support/accessibility";
import { ALONE, builtServer, startServer, type TestServer } from "./support/server";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer();
  await expect.poll(async () => (await usage("by=day")).complete).toBe(true);
});
test.afterAll(() => server.stop());

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

test("where the days alone can't be asked for the page says so, and tries again", async ({ page }) => {
  let isBroken = true;
  await page.route(/\/api\/usage\?.*by=day/, (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(`${server.url}/usage?by=model#t=${server.token}`);
  await expect(page.getByText("Couldn’t add up the usage")).toBeVisible({ timeout: 20_000 });
  isBroken = false;
  await page.getByRole("button", { name: /again|retry/i }).click();
  await expect(page.getByRole("table")).toBeVisible();
});

/** The names of the table's rows, from the top. */
const names = (page: Page) => page.locator("tbody th").allTextContents();

test("totals, table and chart are those of the API, by whatever is chosen", async ({ page }) => {
  await open(page);
  const byDay = await usage("by=day");
  await expect(page.locator("main dl").first()).toContainText(cost(byDay.totals));
  await expect(page.locator("tbody tr")).toHaveCount(byDay.rows.length);
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
});

test("a head of the table orders it, the other way round at the second click", async ({ page }) => {
  await open(page, "?by=session");
  const { rows } = await usage("by=session");
  const byRequests = rows.toSorted((a, b) => b.requests - a.requests).map(({ requests }) => requests);
  const shown = async () =>
    (await page.locator("tbody tr td:nth-child(2)").allTextContents()).map((text) => Number(text));
  await page.getByRole("button", { name: "Requests", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Requests" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  expect(await shown()).toEqual(byRequests);
  await page.getByRole("button", { name: "Requests", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Requests" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  expect(await shown()).toEqual(byRequests.toReversed());
});

test("whoever comes back from a session, or loads the page again, is where they were in the table", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1200, height: 420 });
  await open(page, "?by=session");
  const box = page.getByRole("region", { name: "Usage" });
  const offset = () => box.evaluate(({ scrollTop }) => scrollTop);
  const link = page.locator("tbody th a").last();
  await link.scrollIntoViewIfNeeded();
  const before = await offset();
  expect(before).toBeGreaterThan(100);
  await link.click();
  await new SessionPage(page).ready();
  await page.goBack();
  await expect.poll(offset).toBe(before);
  await page.reload();
  await expect.poll(offset).toBe(before);
  await page.getByRole("button", { name: "Project", exact: true }).click();
  await expect.poll(offset).toBe(0);
});

test("of many sessions only those are asked for that are drawn, and a download has all", async ({ page }) => {
  const claudeDir = mkdtempSync(join(tmpdir(), "backscroll-usage-"));
  const folder = join(claudeDir, "projects", "-home-dev-shop");
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 230; n++) {
    const sessionId = `0a000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    const common = {
      sessionId,
      cwd: "/home/dev/shop",
      version: "2.1.330",
      timestamp: "2026-11-19T10:00:00Z",
    };
    const told = { role: "user", content: `Task ${n}` };
    const usage = { input_tokens: 1_000 * (n + 1), output_tokens: 10 };
    const content = [{ type: "text", text: "Done" }];
    const said = { id: `m${n}`, role: "assistant", model: "claude-opus-4-5", usage, content };
    const lines = [
      { ...common, type: "user", uuid: `u${n}`, parentUuid: null, message: told },
      { ...common, type: "assistant", uuid: `a${n}`, parentUuid: `u${n}`, message: said },
    ];
    writeFileSync(
      join(folder, `${sessionId}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  }
  const many = await startServer({ claudeDirs: [claudeDir] });
  try {
    const headers = { ...ALONE, authorization: `Bearer ${many.token}` };
    const all = async () =>
      (await (await fetch(`${many.url}/api/usage?by=session`, { headers })).json()) as UsageResponse;
    await expect.poll(async () => (await all()).total).toBe(230);
    await expect.poll(async () => (await all()).complete).toBe(true);
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === "/api/usage" && url.searchParams.get("by") === "session")
        asked.push(url.searchParams.get("limit") ?? "all");
    });
    await page.goto(`${many.url}/usage?by=session#t=${many.token}`);
    await expect(page.locator("tbody tr")).toHaveCount(200);
    expect(await names(page)).toEqual((await all()).rows.slice(0, 200).map(({ name }) => name));
    expect(new Set(asked)).toEqual(new Set(["200"]));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as CSV" }).click(),
    ]);
    expect(
      readFileSync(await download.path(), "utf8")
        .trim()
        .split("\r\n"),
    ).toHaveLength(231);
    await page.getByRole("button", { name: "Show 30 more of 30" }).click();
    await expect(page.locator("tbody tr")).toHaveCount(230);
    await page.getByRole("button", { name: "Input", exact: true }).click();
    await page.getByRole("button", { name: "Input", exact: true }).click();
    await expect(page.locator("tbody th").first()).toHaveText("Task 0");
  } finally {
    await many.stop();
    rmSync(claudeDir, { recursive: true });
  }
});

test("bars are walked through by keys, and one leads to the sessions of its day", async ({ page }) => {
  await open(page);
  const { rows } = await usage("by=day");
  const [last] = rows;
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

test("it is a key, an entry of the palette and of the library away, and goes back there", async ({
  page,
}) => {
  await page.goto(`${server.url}/#t=${server.token}`);
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

test("the table can be taken along as CSV and JSON", async ({ page }) => {
  await open(page, "?by=project");
  const { rows } = await usage("by=project");
  const take = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `Download as ${name}` }).click(),
    ]);
    return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
  };
  const [csvName, csv = ""] = await take("CSV");
  expect(csvName).toBe("usage by project.csv");
  expect(csv.trim().split("\r\n")).toHaveLength(rows.length + 1);
  expect(csv).toContain(`${rows[0]?.key},${rows[0]?.name},${rows[0]?.requests}`);
  const [, json = ""] = await take("JSON");
  expect((JSON.parse(json) as UsageResponse).rows).toEqual(rows);
});

test("the library has what sessions cost, orders them by it and finds the dear ones", async ({ page }) => {
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
});

test("a session says what it cost, and what its client says", async ({ page }) => {
  const { sessions } = await get<SessionsResponse>("sessions?sort=cost");
  const reported = sessions.find((session) => session.cost?.reportedMicroUsd != null);
  await page.goto(`${server.url}/sessions/${reported?.id}#t=${server.token}`);
  await new SessionPage(page).ready();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "About this session" }).click();
  const about = page.getByRole("dialog", { name: "About this session" });
  await expect(about.getByText("API-equivalent")).toBeVisible();
  await expect(about.getByText("At list prices as of")).toBeVisible();
  await expect(about.getByText("Claude Code’s own")).toBeVisible();
});

test("nothing serious stands in the way of anybody, wide and narrow", async ({ page }) => {
  await open(page, "?by=model");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // Narrow, its colours are the same.
    const found = width === 1440 ? seriousViolationsInBothSchemes(page) : seriousViolationsIn(page);
    expect(await found, `at ${width}`).toEqual([]);
    // What is too wide scrolls by itself, never the page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
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
    const cli = (...args: string[]) => run(join(folder, "data"), ...args);
    const freed = JSON.parse(cli("--prices", own, "--json").stdout) as UsageResponse;
    expect([freed.pricesAsOf, freed.totals.costMicroUsd]).toEqual(["2027-01-01", 0]);
    expect(cli("--by", "weather").stderr).toContain("give --by one of day, week");
    expect(cli("--prices", join(folder, "none.json")).stderr).toContain("there is no file");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

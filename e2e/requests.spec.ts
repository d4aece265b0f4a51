import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { formatDollars } from "@/lib/format/format";
import type { RowsResponse } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import type { UsageMissesResponse } from "@/lib/wire/usage";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsAtOtherWidth, seriousViolationsInBothSchemes } from "./support/accessibility";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const SESSION = "00000000-0000-4000-8000-000000000042";
const OPUS = "claude-opus-4-5-20251101";
const SONNET = "claude-sonnet-4-5-20250929";
const START_MS = Date.parse("2026-11-02T09:00:00.000Z");

type Json = Record<string, unknown>;

/** A log of twelve requests: the sixth another model's, the ninth after a pause, the eleventh after a compaction. */
function requestLog(): string {
  const lines: Json[] = [];
  let nowMs = START_MS;
  let parent: string | null = null;
  let size = 12_000;
  const write = (json: Json) => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length + 1).padStart(12, "0")}`;
    nowMs += 2000;
    const timestamp = new Date(nowMs).toISOString();
    lines.push({
      uuid,
      parentUuid: parent,
      cwd: "/home/dev/shop",
      sessionId: SESSION,
      timestamp,
      version: "2.1.42",
      ...json,
    });
    parent = uuid;
  };
  const say = (number: number, model: string, isMiss: boolean) => {
    const before = size;
    size += 6000;
    const content = [
      { type: "text", text: `Answer number ${number}.` },
      {
        type: "tool_use",
        id: `toolu_${number}`,
        name: "Read",
        input: { file_path: `/home/dev/shop/${number}.txt` },
      },
    ];
    const read = isMiss ? 0 : before;
    const written = size - read;
    const usage = {
      input_tokens: 0,
      output_tokens: 60,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    };
    write({ type: "assistant", message: { id: `msg_${number}`, role: "assistant", model, content, usage } });
    const result = {
      type: "tool_result",
      tool_use_id: `toolu_${number}`,
      content: "a line of it\n".repeat(1600),
    };
    write({ type: "user", message: { role: "user", content: [result] } });
  };
  write({ type: "user", message: { role: "user", content: "Read all of the shop" } });
  for (let number = 1; number <= 10; number++) {
    if (number === 9) {
      nowMs += 12 * 60_000;
      write({ type: "user", message: { role: "user", content: "Go on" } });
    }
    say(number, number < 6 ? OPUS : SONNET, number === 1 || number === 6 || number === 9);
  }
  const logicalParentUuid = parent;
  parent = null;
  write({
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    logicalParentUuid,
    compactMetadata: { trigger: "manual", preTokens: size },
  });
  write({
    type: "user",
    isCompactSummary: true,
    message: { role: "user", content: "This session is being continued. All was read." },
  });
  size = 12_000;
  for (const number of [11, 12]) say(number, SONNET, false);
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

let folder: string;
let server: TestServer;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-requests-"));
  mkdirSync(join(folder, "projects", "-home-dev-shop"), { recursive: true });
  writeFileSync(join(folder, "projects", "-home-dev-shop", `${SESSION}.jsonl`), requestLog());
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const view = (page: Page) => page.getByRole("region", { name: "Context over time" });
const bars = (page: Page) => page.getByRole("group", { name: "Context by request" }).getByRole("button");
const misses = (page: Page) => page.getByRole("list", { name: "Cache misses, the costliest first" });

async function open(page: Page): Promise<void> {
  await page.goto(`${server.url}/sessions/${SESSION}?view=context#t=${server.token}`);
  await expect(bars(page)).toHaveCount(12);
}

/** Nor is the page ever wider than its window. */
async function expectNoBarriers(page: Page, look: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const found = width === 1440 ? seriousViolationsInBothSchemes(page) : seriousViolationsAtOtherWidth(page);
    expect(await found, `${look} at ${width}`).toEqual([]);
    // What is too wide scrolls by itself, never the page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a link shows what fills the window, and why the cache was missed; keys, marks and a table lead through it", async ({
  page,
}) => {
  await open(page);
  await expect(bars(page).nth(9)).toHaveAccessibleName(/^Request 10, 72k of 200k tok/);
  await expect(bars(page).nth(5)).toHaveAccessibleName(/missed the cache: model changed/);
  await expect(bars(page).nth(10)).toHaveAccessibleName(/after a compaction/);
  await expect(misses(page).getByRole("listitem")).toContainText([
    /Expired Last used 12 m.* before; kept for 5 m/,
    /Model changed .*before:claude-opus-4-5-20251101.*after:claude-sonnet-4-5-20250929/,
    /Compaction/,
  ]);
  await expect(misses(page).getByRole("listitem").first()).toContainText("60k tok");

  await test.step("keys walk from bar to bar and mark to mark; Enter leads to the answer and what its model saw, Back to here", async () => {
    await bars(page).first().focus();
    await page.keyboard.press("PageDown");
    await expect(bars(page).nth(5)).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(view(page).locator("figcaption")).toContainText("Request 5");
    await page.keyboard.press("Enter");
    const session = new SessionPage(page);
    await session.ready();
    await expect(view(page)).toBeHidden();
    await expect(page.getByRole("region", { name: "Context", exact: true })).toContainText("42k tokens sent");
    await expect(session.rows.filter({ hasText: "Answer number 5." }).first()).toBeInViewport();
    await page.goBack();
    await expect(bars(page)).toHaveCount(12);
    await expect(bars(page).nth(4)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(view(page)).toBeHidden();
    await page.keyboard.press("Shift+C");
    await expect(bars(page)).toHaveCount(12);
  });

  await test.step("nothing serious stands in the way of anybody in the chart", () =>
    expectNoBarriers(page, "Chart"));

  await test.step("a miss leads to its record; the table says what the chart draws", async () => {
    await misses(page).getByRole("button", { name: "Record", exact: true }).last().click();
    const session = new SessionPage(page);
    await expect(session.rows.filter({ hasText: "Answer number 6." }).first()).toBeInViewport();
    await expect(page).not.toHaveURL(/panes=/);
    await page.getByRole("button", { name: "Context", exact: true }).click();
    await page.getByRole("button", { name: "Table", exact: true }).click();
    const table = page.getByRole("table", { name: "Context by request" });
    await expect(table.locator("tbody tr")).toHaveCount(12);
    await expect(table.locator("tbody tr").nth(8)).toContainText("missed: expired");
    await expect(table.locator("tbody tr").nth(9)).toContainText("72,000");
    await misses(page).getByRole("button", { name: "Record", exact: true }).last().click();
    await expect(view(page)).toBeHidden();
    await page.goBack();
    await expect(misses(page).getByRole("listitem")).toHaveCount(3);
  });

  await test.step("nothing serious stands in the way of anybody in the table", () =>
    expectNoBarriers(page, "Table"));
});

test("a turn's header and an answer say what they cost; brief and inspector say of what", async ({
  page,
}) => {
  const headers = { authorization: `Bearer ${server.token}` };
  const get = async (path: string) =>
    (await page.request.get(`${server.url}/api/sessions/${SESSION}${path}`, { headers })).json();
  const { rows } = (await get("/rows")) as RowsResponse;
  const { cost } = (await get("")) as SessionDetail;
  const turns = rows.filter((row) => row.kind === "turn");
  const costs = turns.map(({ usage }) => usage?.cost.microUsd ?? 0);
  expect(costs).toHaveLength(2);
  expect(costs.reduce((sum, one) => sum + one)).toBe(cost?.microUsd);

  const session = await SessionPage.open(page, server, SESSION);
  const first = session.row(turns[0]?.recordId ?? "");
  const figure = first.getByRole("button", { name: formatDollars(costs[0] ?? 0) });
  await expect(figure).toHaveText(`312k tok · ${formatDollars(costs[0] ?? 0)}`);
  await expect(figure).toHaveAttribute("title", /^API-equivalent.*\n.*opus-4-5, sonnet-4-5 · in 0 · out 480/);
  await expect(first.getByText("opus-4-5 +1")).toBeVisible();
  await figure.click();
  await expect(page.getByRole("region", { name: "Turn 1 in brief" })).toContainText(
    /Used.*opus-4-5, sonnet-4-5 · in 0 · out 480 · cache read 210k · cache written 102k for 5 m/,
  );

  const answer = rows.find((row) => row.kind === "text" && row.text.text === "Answer number 6.");
  const own = answer?.kind === "text" ? formatDollars(answer.usage?.cost.microUsd ?? 0) : "";
  const row = session.row(answer?.recordId ?? "").first();
  await row.getByRole("button", { name: own }).click();
  await expect(page.getByRole("region", { name: "Inspector" })).toContainText(
    `in 0 · out 60 · cache written 48k for 5 mCost${own} API-equivalent`,
  );
});

test("misses over sessions are listed by cause, as the API has them; one leads to its request, its cause to why", async ({
  page,
}) => {
  const headers = { authorization: `Bearer ${server.token}` };
  const ask = async () =>
    (await (
      await page.request.get(`${server.url}/api/usage/misses`, { headers })
    ).json()) as UsageMissesResponse;
  await expect.poll(async () => (await ask()).complete).toBe(true);
  const { totals, causes } = await ask();
  expect(causes.map(({ cause }) => cause)).toEqual(["expired", "model", "compaction"]);

  await page.goto(`${server.url}/usage#t=${server.token}`);
  await page.getByRole("button", { name: "Cache misses" }).click();
  const byCause = page.getByRole("table", { name: "Cache misses by cause" });
  await expect(byCause.locator("tbody tr")).toContainText(
    causes.map(({ microUsd }) => formatDollars(microUsd ?? 0)),
  );
  await expect(page.getByRole("region", { name: "Cache misses" })).toContainText(
    `${formatDollars(totals.microUsd ?? 0)} more than with the cache`,
  );
  await expect(misses(page).getByRole("listitem")).toHaveCount(3);
  await byCause.getByRole("button", { name: /^Model changed/ }).click();
  await expect(misses(page).getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(/cause=model/);
  await misses(page).getByRole("link", { name: "Read all of the shop" }).click();
  const session = new SessionPage(page);
  await session.ready();
  await expect(session.rows.filter({ hasText: "Answer number 6." }).first()).toBeInViewport();
  await page.goBack();
  await misses(page).getByRole("link", { name: "Model changed" }).click();
  await expect(bars(page)).toHaveCount(12);
  const named = misses(page).locator("[aria-current=true]");
  await expect(named).toContainText(/Model changed/);
  await expect(named).toBeInViewport({ ratio: 1 });
  await page.goto(`${server.url}/usage?view=misses&from=2026-11-03#t=${server.token}`);
  await expect(page.getByText("No cache misses in this range")).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(misses(page).getByRole("listitem")).toHaveCount(3);

  await test.step("nothing serious stands in the way of anybody", () => expectNoBarriers(page, "Usage"));
});

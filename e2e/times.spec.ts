import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import type { RecordedServer } from "./support/serve-recordings";
import { ALONE } from "./support/server";
import { test } from "./support/test";

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const NESTED = "3f45ef1b-8857-4eff-95a0-66f76b562ec2";
const WORKFLOW = "fee95939-c100-44e9-a57a-84d3f5dcdfd3";
const DENIED = "2bb8a79c-1afe-4e68-bc77-c4e48431b8ec";
const COMPACTED = "23fb0dde-37ac-4d32-8d36-a62a5746a24e";
const BRANCHED = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

async function open(page: Page, path: string): Promise<SessionPage> {
  return SessionPage.open(page, server, path);
}

test("an agent in the background shows the time it worked, the same in row, pane, brief, graph and export", async ({
  page,
}) => {
  const session = await open(page, AGENTS);
  const call = session.rows.filter({ hasText: "Slow check" }).first();
  await expect(call).toContainText("1.6 s");
  await expect(session.rows.filter({ hasText: "Slow answer from a sub-agent" })).toContainText("1.6 s");
  // A command in the background takes until its end is reported.
  await expect(session.rows.filter({ hasText: "for i in 1 2 3" })).toContainText("983 ms");
  await call.getByRole("button", { name: "Open Slow check beside" }).click();
  await expect(page.getByRole("region", { name: "Agent Slow check" }).locator("header")).toContainText(
    "1.6 s",
  );
  await session.rows.first().click();
  await session.press("b");
  await expect(page.getByRole("region", { name: "Turn 1 in brief" })).toContainText(/Slow check.*1\.6 s/);
  await session.press("b", "Escape");
  await session.press("g");
  const tree = page.getByRole("tree", { name: "Graph of the session" });
  await expect(tree).toBeFocused();
  await session.press("Home", "ArrowRight", "ArrowUp");
  const panel = page.getByRole("complementary", { name: "Selected" });
  await expect(panel).toContainText(/Agent\s*\d/);
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  const told = await (await fetch(`${server.url}/api/sessions/${AGENTS}/agents`, { headers })).json();
  expect(told.agents.find((one: { description: string }) => one.description === "Slow check")).toMatchObject({
    durationMs: 1576,
    state: "done",
  });
  const file = await fetch(`${server.url}/api/sessions/${AGENTS}/export?format=md`, { headers });
  const text = await file.text();
  expect(text).toContain("`Slow check` — general-purpose · 1 tool, 1.6 s");
  expect(text).toContain("Slow check returned after 1.6 s");
});

test("a workflow and an agent inside an agent have their own times, and no report of a launch is an answer", async ({
  page,
}) => {
  const session = await open(page, WORKFLOW);
  await expect(session.rows.filter({ hasText: "look-around" })).toContainText("1.7 s");
  const outer = await open(page, `${NESTED}?agent=a91120db563249c41`);
  await expect(outer.rows.filter({ hasText: "Inner agent" })).toContainText("63 ms");
  await expect(outer.rows.filter({ hasText: "Quick answer from a sub-agent." })).toContainText("63 ms");
  await expect(outer.thread).not.toContainText("internal metadata");
});

test("the graph tells the branches that go on from a fork", async ({ page }) => {
  const session = await open(page, BRANCHED);
  const tree = page.getByRole("tree", { name: "Graph of the session" });
  const panel = page.getByRole("complementary", { name: "Selected" });
  await session.press("g");
  await expect(tree).toBeFocused();
  await session.press("Home");
  const ways = panel.getByRole("region", { name: "Branches from here" });
  for (let step = 0; step < 6 && !(await ways.isVisible()); step++) await session.press("ArrowRight");
  await expect(ways.getByRole("button")).toHaveCount(2);
  await ways.getByRole("button").first().click();
  await expect(ways.locator('[aria-current="true"]')).toHaveCount(1);
});

test("a file that was read shows as many lines as are counted", async ({ page }) => {
  const session = await open(page, `${AGENTS}?agent=aeed47c311319a267`);
  const read = session.rows.filter({ hasText: "hello.py" }).first();
  await session.open(read);
  await expect(read).toContainText("1–7");
  await expect(read.getByText("7", { exact: true })).toBeVisible();
});

test("a refusal is not counted as an error", async ({ page }) => {
  const session = await open(page, DENIED);
  await expect(session.rows.first()).toContainText(/\d denied/);
  await expect(session.rows.first()).not.toContainText("error");
  await expect(page.getByRole("button", { name: "2 denied", exact: true })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Outline" }).getByTitle("2 denied")).toBeVisible();
});

test("the selection tints a compaction's whole line, and a long answer faintly", async ({ page }) => {
  const session = await open(page, COMPACTED);
  const row = session.rows.filter({ hasText: "Compacted" }).first();
  await row.scrollIntoViewIfNeeded();
  await row.getByText("Compacted").click();
  await row.getByRole("button", { name: "Summary" }).click();
  await expect(row.getByRole("button", { name: "Copy summary" })).toBeVisible();
  expect((await row.locator(".bg-sel").first().boundingBox())?.height).toBeGreaterThanOrEqual(40);
  await session.press("1", "2");
  await expect(page.getByRole("button", { name: "Conversation", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await session.press("G");
  await expect(session.rows.locator(".bg-sel-faint")).toHaveCount(1);
});

test("the library marks its order with an arrow, and a project's name is whole", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  const table = page.getByRole("table", { name: "Sessions" });
  await expect(table.getByRole("row").nth(2)).toBeVisible();
  const when = table.getByRole("columnheader", { name: "When" });
  await expect(when).toHaveAttribute("aria-sort", "descending");
  await expect(when.locator("svg")).toHaveCount(1);
  await table.getByRole("columnheader", { name: "Turns" }).getByRole("button").click();
  await expect(table.getByRole("columnheader", { name: "Turns" }).locator("svg")).toHaveCount(1);
  await expect(when.locator("svg")).toHaveCount(0);
  const cut = await table
    .locator('[role="cell"][title="/home/dev/tui-agent-interrupt"]')
    .first()
    .evaluate((cell) => cell.scrollWidth > cell.clientWidth);
  expect(cut).toBe(false);
});

test("a library that is loading has its heads and no wrong counts", async ({ page }) => {
  await page.route("**/api/sessions?**", () => undefined);
  await page.route("**/api/projects**", () => undefined);
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByRole("columnheader", { name: "Session" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^All sessions/ })).toHaveText("All sessions");
});

test("the foot says when the selected row was written, and what no server answered comes once it is back", async ({
  page,
}) => {
  let isDown = false;
  await page.route(/\/api\/(?!events)/, (route) => (isDown ? route.abort() : route.continue()));
  const session = await open(page, AGENTS);
  const call = session.rows.filter({ hasText: "Slow check" }).first();
  await call.click();
  const recordId = (await call.getAttribute("data-record-id")) ?? "";
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  const rows = `${server.url}/api/sessions/${AGENTS}/rows?around=${encodeURIComponent(recordId)}&count=40`;
  const told = (await (await fetch(rows, { headers })).json()) as {
    rows: { recordId: string; atMs: number }[];
  };
  const atMs = told.rows.find((row) => row.recordId === recordId)?.atMs ?? 0;
  const clock = await page.evaluate((at) => new Date(at).toTimeString().slice(0, 8), atMs);
  await expect(page.getByRole("contentinfo").locator("time")).toContainText(clock);

  isDown = true;
  await session.press("Escape");
  await session.press("i");
  await page
    .getByRole("radio", { name: "Prompts" })
    .or(page.getByText("Prompts", { exact: true }))
    .first()
    .click();
  await expect(page.getByText("Backscroll does not answer.").first()).toBeVisible();
  isDown = false;
  await expect(page.getByText("Backscroll does not answer.")).toHaveCount(0, { timeout: 10_000 });
});

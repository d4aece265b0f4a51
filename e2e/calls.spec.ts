import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { test } from "./support/test";

let server: RecordedServer;
let scenarios: Record<string, { session: string }>;

test.beforeAll(async () => {
  server = await serveRecordings(["2.1.42"]);
  const manifest = join(server.recordings[0].dir, "manifest.json");
  ({ scenarios } = JSON.parse(readFileSync(manifest, "utf8")));
});
test.afterAll(() => server.stop());

/** Opens the session of a scenario, and every call of its first turn. */
async function openScenario(page: Page, name: string, detail = "tools"): Promise<SessionPage> {
  const session = new SessionPage(page);
  await page.addInitScript(() => localStorage.setItem("backscroll.preferences", '{"foldRuns":false}'));
  await page.goto(`${server.url}/sessions/${scenarios[name]?.session}?detail=${detail}#t=${server.token}`);
  await session.ready();
  // What the client wrote before the prompt is a turn of its own at this level.
  await session.press(detail === "everything" ? "J" : "j");
  await expect(page.locator("article:focus h2")).toBeVisible();
  await session.press("e");
  return session;
}

const callOf = ({ rows }: SessionPage, words: string) =>
  rows
    .filter({ hasText: words })
    .filter({ has: rows.page().getByRole("button", { name: /^Close /, expanded: true }) });

test("a background command shows its later output", async ({ page }) => {
  const session = await openScenario(page, "bash-background");
  const ticks = callOf(session, "for i in 1 2 3").first();
  await expect(ticks.getByRole("link", { name: "TaskOutput: completed, exit 0" })).toBeVisible();
  await expect(ticks.getByText("tick 3")).toBeVisible();
  await expect(ticks.getByRole("link", { name: /^Background command "Tick/ })).toBeVisible();
  const sleeps = callOf(session, "sleep 60").first();
  await expect(sleeps.getByRole("link", { name: "TaskStop: stopped" })).toBeVisible();

  await test.step("on a narrow page it says where it continued", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const words = session.rows
      .filter({ hasText: "for i in 1 2 3" })
      .first()
      .getByText(/^in the background/);
    await words.scrollIntoViewIfNeeded();
    await expect(words).toBeInViewport({ ratio: 1 });
  });
});

test("a command's output is shown as printed", async ({ page }) => {
  const session = await openScenario(page, "bash");
  const failed = callOf(session, "exit 3").first();
  await expect(failed).toContainText(/boom\s+some output/);
  await expect(failed.getByText("Exit code 3")).toHaveCount(0);
  const long = callOf(session, "a long output").first();
  await expect(long.getByText("persisted-output")).toHaveCount(0);
  // Its size is in the row, its head and tail are there at once, and one button shows all.
  await expect(long).toContainText("269 kB");
  await expect(long.getByText("line 60 of a long output")).toBeAttached();
  await long.getByRole("button", { name: /^Show all [\d,]+ lines, 269k characters/ }).click();
  await expect(long.getByText("line 600 of a long output")).toBeAttached();
  await expect(callOf(session, "sleep 20").first()).toContainText("moved to the background as");
});

test("a call with input that its tool does not know shows that input", async ({ page }) => {
  const session = await openScenario(page, "tool-error");
  const refused = callOf(session, "InputValidationError").first();
  await expect(refused.getByText("wrong input")).toBeVisible();
  await expect(refused.getByText("wrong parameter")).toBeVisible();
});

test("a PDF can be saved from its call and from the row where it was sent to the model", async ({ page }) => {
  const session = await openScenario(page, "image", "everything");
  await expect(callOf(session, "doc.pdf").first().getByText("doc.pdf · PDF, 367 B")).toBeVisible();
  const sent = session.rows.filter({ hasText: "Sent with the conversation" }).first();
  await expect(sent.getByText("PDF", { exact: true })).toBeVisible();
  await expect(sent.getByText("Save")).toBeVisible();

  await test.step("on a narrow page an edited notebook keeps its path", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const path = session.rows
      .filter({ hasText: "cell c1" })
      .locator('.font-mono[title$="note.ipynb"]')
      .last();
    await expect(path).toBeVisible();
    expect(await path.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  });
});

test("an agent's answer is the agent's own text", async ({ page }) => {
  const session = await openScenario(page, "task-one");
  const agent = callOf(session, "Explore the project").first();
  await expect(agent.getByText("It is a tiny shop: a greeting and two prices.").first()).toBeVisible();
  await expect(agent.getByText(/agentId:|total_tokens/)).toHaveCount(0);
});

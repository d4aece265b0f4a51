import { dirname, join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { SessionPage } from "./pages/session-page";
import { liveCopy } from "./pictures/live-copy";
import { AT_WORK, SAMPLES } from "./pictures/samples";
import { serveLive } from "./support/live-server";
import { startServer } from "./support/server";
import { test } from "./support/test";

const live = serveLive();
/** The client that runs the session. */
let client: ClientRegistry;

test.beforeEach(() => {
  client = new ClientRegistry(live.folder.dir, live.sessionId);
  client.tell("idle");
});

/** The state in the session's bar, and the session's tile on the board. */
async function openBoth(page: Page): Promise<{ word: (text: string) => Locator; tile: Locator }> {
  await live.open(page, "?follow=1");
  const board = await page.context().newPage();
  const stream = board.waitForResponse((response) => response.url().includes("/api/events"));
  await board.goto(`${live.server.url}/now#t=${live.server.token}`);
  await stream;
  return {
    word: (text) => page.getByText(text, { exact: true }),
    tile: board.locator(`[data-session-id="${live.sessionId}"]`),
  };
}

test("the page shows what the client does and waits for, from its first prompt to its exit", async ({
  page,
}) => {
  const { word, tile } = await openBoth(page);

  client.tell("busy");
  live.writer.prompt("Test it");
  await expect(word("Thinking")).toBeVisible();
  await expect(tile).toContainText("thinking");
  const bash = live.writer.call("Bash", { command: "npm test" });
  await expect(word("Running")).toBeVisible();
  await expect(tile).toContainText("running");

  client.tell("waiting", "permission prompt");
  await expect(word("Asks for permission")).toBeVisible();
  await expect(tile).toContainText("asks for permission");
  // A torn registry entry changes nothing: the state stays.
  client.tear();
  // That the server has read it is seen by the entry of a second client, with which it reads all of them.
  const second = new ClientRegistry(live.folder.dir, live.sessionId, 4_194_001);
  second.tell("busy");
  await expect(word("Running")).toBeVisible();
  second.leave();
  await expect(word("Asks for permission")).toBeVisible();

  client.tell("busy");
  await expect(word("Running")).toBeVisible();
  live.writer.result(bash, "12 passed");
  await expect(word("Thinking")).toBeVisible();

  const question = live.writer.call("AskUserQuestion", {
    questions: [{ question: "Which one?", options: [] }],
  });
  client.tell("waiting", "input needed");
  await expect(word("Asks a question")).toBeVisible();
  await expect(tile).toContainText("asks a question");
  client.tell("busy");
  live.writer.result(question, "The first");
  await expect(word("Thinking")).toBeVisible();

  live.writer.say("Both are done");
  client.tell("idle");
  await expect(word("Thinking")).toHaveCount(0);
  await expect(tile).toHaveCount(0);
  client.tell("waiting", "dialog open");
  await expect(word("Menu open")).toBeVisible();
  await expect(word("Asks for permission")).toHaveCount(0);
  await expect(tile).toHaveCount(0);

  client.tell("busy");
  live.writer.prompt("Look at both ends");
  const agent = live.writer.call("Agent", { description: "Read the front", prompt: "Read" });
  const launched = { status: "async_launched", agentId: "a1aaaaaaaaaaaaaaa" };
  live.writer.result(agent, "Async agent launched", { toolUseResult: launched });
  live.writer.say("It reads the front");
  await expect(word("Waiting for agents")).toBeVisible();
  await expect(tile).toContainText("waiting for agents");
  live.writer.prompt("<task-notification>\n<task-id>a1aaaaaaaaaaaaaaa</task-id>\n<status>completed</status>");
  await expect(word("Thinking")).toBeVisible();
  live.writer.say("The front is read");
  client.tell("shell");
  await expect(word("Background commands")).toBeVisible();
  await expect(tile).toHaveCount(0);

  client.tell("busy");
  live.writer.prompt("Once more");
  live.writer.call("Bash", { command: "npm run lint" });
  client.tell("waiting", "permission prompt");
  await expect(word("Asks for permission")).toBeVisible();
  // The terminal is closed during the question: nothing is written to the log.
  client.leave();
  await expect(word("Stopped")).toBeVisible();
  await expect(word("Running")).toHaveCount(0);
  await expect(tile).toContainText("stopped");
});

test("the board shows a pushed state even while its requests go unanswered", async ({ page }) => {
  client.tell("busy");
  live.writer.prompt("Test it");
  live.writer.call("Bash", { command: "npm test" });
  const { tile } = await openBoth(page);
  await expect(tile).toContainText("running");
  await tile.page().route("**/api/now", () => undefined);
  client.tell("waiting", "permission prompt");
  await expect(tile).toContainText("asks for permission");
});

test("a session begun by /clear is titled by its prompt, and the previous one has ended", async ({
  page,
}) => {
  const { word } = await openBoth(page);
  client.tell("busy");
  live.writer.prompt("Test it");
  await expect(word("Thinking")).toBeVisible();
  live.writer.say("Tested");
  const next = "0badf00d-1111-4222-8333-444444444444";
  client.tell("idle", undefined, next);
  await expect(word("Thinking")).toHaveCount(0);
  const cleared = new LogWriter(
    join(dirname(logOf(live.folder.dir, live.sessionId)), `${next}.jsonl`),
    "root",
  );
  cleared.prompt("<command-name>/clear</command-name>\n<command-message>clear</command-message>");
  client.tell("busy", undefined, next);
  cleared.prompt("The next thing to do");
  await page.goto(`${live.server.url}/sessions/${next}`);
  await new SessionPage(page).ready();
  await expect(page).toHaveTitle(/The next thing to do/);
});

test("the board shows a question with its options, also as a list, and the side column leads on", async ({
  page,
}) => {
  client.tell("busy");
  live.writer.prompt("Ask me");
  live.writer.call("AskUserQuestion", {
    questions: [
      {
        header: "Colour",
        question: "Which colour shall it have?",
        options: [{ label: "Red", description: "as the logo" }, { label: "Blue" }],
      },
    ],
  });
  client.tell("waiting", "input needed");
  await page.goto(`${live.server.url}/now#t=${live.server.token}`);
  const tile = page.locator(`article[data-session-id="${live.sessionId}"]`);
  const asked = tile.getByRole("region", { name: "Colour" });
  await expect(asked).toContainText("Which colour shall it have?");
  await expect(asked.getByRole("listitem")).toHaveText(["Redas the logo", "Blue"]);
  await expect(tile).toContainText("asks a question");
  await expect(tile).not.toContainText("AskUserQuestion");
  const mark = await tile.locator("header svg").first().innerHTML();

  await page.keyboard.press("v");
  const list = page.getByRole("table", { name: "Running sessions" });
  await expect(list.getByRole("row").filter({ hasText: "Which colour shall it have?" })).toBeVisible();
  await page.reload();
  await expect(list).toBeVisible();

  const side = page.getByRole("complementary", { name: "Sessions" });
  await expect(side.getByRole("button", { name: /Search or go to/ })).toBeVisible();
  await side.getByRole("link", { name: /^bench/ }).click();
  await expect(page).toHaveURL(/\/\?project=/);
  // The same session has the same mark in the library.
  const row = page.getByRole("row").filter({ hasText: "Asks a question" });
  await expect(row).toBeVisible();
  expect(await row.locator("svg").first().innerHTML()).toBe(mark);
});

test("on the board a short tile beside one that asks has its rows below its prompt, and both end on one line", async ({
  page,
}) => {
  const copy = liveCopy(SAMPLES, AT_WORK);
  const server = await startServer({ claudeDirs: [copy.dir] });
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/now#t=${server.token}`);
    const asks = page.getByRole("article", { name: /^Add --json/ });
    const short = page.getByRole("article", { name: /^Draw the day/ });
    await expect(asks.getByRole("region", { name: "Times" })).toBeVisible();
    await expect(short.locator("[data-tile-rows]")).toContainText("python3 tides.py");
    const box = async (part: Locator) => (await part.boundingBox()) ?? { y: 0, height: 0 };
    const [tile, beside] = [await box(short), await box(asks)];
    expect([tile.y, tile.height]).toEqual([beside.y, beside.height]);
    const [rows, others] = [short.locator("[data-tile-rows]"), asks.locator("[data-tile-rows]")];
    expect((await box(rows)).y).toBe((await box(others)).y);
    // The line from the prompt ends at the last row.
    const { y, height } = await box(rows);
    const spine = await box(rows.locator("> span").first());
    expect(spine.y + spine.height).toBeLessThanOrEqual(y + height);
    expect(y + height).toBeLessThan(tile.y + tile.height - 100);
  } finally {
    await server.stop();
    copy.remove();
  }
});

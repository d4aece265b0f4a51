import { expect, type Page } from "@playwright/test";
import type { LogWriter } from "@/lib/testing/log-writer";
import type { SessionsResponse } from "@/lib/wire/library";
import type { NowResponse } from "@/lib/wire/live";
import { watchPolicy } from "./pages/watch-policy";
import { violationsIn } from "./support/accessibility";
import { setHidden } from "./support/hidden-tab";
import { liveFolder, openLive, SESSION } from "./support/live-folder";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
let writer: LogWriter;
let remove: () => void;

test.beforeEach(async ({ context }) => {
  let folder: string;
  ({ dir: folder, writer, remove } = liveFolder());
  server = await startServer({ claudeDirs: [folder] });
  await context.addInitScript(() => {
    const told: string[] = [];
    class Told {
      static get permission() {
        return localStorage.getItem("allowed") ?? "default";
      }
      static async requestPermission() {
        localStorage.setItem("allowed", "granted");
        return Told.permission;
      }
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
    }
    let tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...args) {
      tones += 1;
      start.apply(this, args);
    };
    Object.assign(window, { Notification: Told, told, tones: () => tones });
  });
});
test.afterEach(async () => {
  await server.stop();
  remove();
});

type Told = { told: string[]; tones: () => number };
const told = (page: Page) => page.evaluate(() => (window as unknown as Told).told);
const tones = (page: Page) => page.evaluate(() => (window as unknown as Told).tones());

test("rules tell of running sessions, with why, and nothing is told without one", async ({ page }) => {
  const problems = await watchPolicy(page);
  await page.goto(`${server.url}/now#t=${server.token}`);
  writer.prompt("Look at the settings");
  await expect(page.getByRole("feed", { name: "Running sessions" }).getByRole("article")).toHaveCount(1);
  writer.result(writer.call("Bash", { command: "cat .env.local" }), "");
  await expect(page.getByRole("feed").getByText("cat .env.local")).toBeVisible();

  await page.keyboard.press("B");
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  await expect(dialog.getByText("Nothing yet")).toBeVisible();
  for (const name of [/waits for me/, /has a call that fails/, /names a \.env file/, "with a short sound"])
    await dialog.getByRole("checkbox", { name }).check();
  const query = dialog.getByRole("textbox", { name: "makes a call that this finds:" });
  await query.fill("is:starred");
  await expect(dialog.getByText("is: does not apply to a single call")).toBeVisible();
  await query.fill("tool:Bash push");
  await query.press("Enter");
  expect(await violationsIn(page)).toEqual([]);

  writer.result(writer.call("Bash", { command: "git push --force" }), "done");
  writer.result(writer.call("Read", { file_path: "/home/dev/shop/.env" }), "SECRET=1");
  writer.failure(writer.call("Bash", { command: "npm test" }), "1 failed");
  writer.call("AskUserQuestion", { questions: [{ question: "Tea or coffee?", options: [] }] });
  const list = dialog.getByRole("region", { name: "Past notifications" }).getByRole("listitem");
  await expect(list).toHaveCount(4);
  await expect(list.filter({ hasText: "A call is found by tool:Bash push" })).toContainText(
    "git push --force",
  );
  await expect(list.filter({ hasText: "Reads a .env file" })).toContainText(".env");
  await expect(list.filter({ hasText: "A call has failed" })).toContainText("npm test");
  await expect(list.filter({ hasText: "Has a question for you" })).toHaveCount(1);
  expect((await told(page)).length).toBe(4);
  expect(await tones(page)).toBeGreaterThanOrEqual(2);

  // Its agents' calls count as well.
  const agent = writer.startAgent("b0b0b0b0", "Look around");
  agent.result(agent.call("Bash", { command: "cat /srv/.env" }), "");
  await expect(list.filter({ hasText: "An agent reads a .env file" })).toContainText("cat /srv/.env");
  agent.failure(agent.call("Bash", { command: "make all" }), "No rule");
  await expect(list.filter({ hasText: "A call of an agent has failed" })).toContainText("make all");
  await expect(list).toHaveCount(6);

  // It is kept with this browser, on every page.
  await page.goto(`${server.url}/`);
  await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
  await page.keyboard.press("B");
  await expect(list).toHaveCount(6);
  await expect(dialog.getByRole("checkbox", { name: /waits for me/ })).toBeChecked();
  await dialog.getByRole("button", { name: "Clear" }).click();
  await expect(list).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("one tab of a browser tells for all of them, in the background at once, and another goes on when it is closed", async ({
  page,
  context,
}) => {
  const news = new Map<Page, number>();
  const countNews = (one: Page) => {
    news.set(one, 0);
    one.on("request", (request) => {
      if (/\/api\/events\?.*news=1/.test(request.url())) news.set(one, (news.get(one) ?? 0) + 1);
    });
  };
  countNews(page);
  await page.goto(`${server.url}/usage#t=${server.token}`);
  // Keys are there when the page's figures are.
  await expect(page.getByRole("table")).toBeVisible();
  await page.keyboard.press("B");
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  await dialog.getByRole("checkbox", { name: /has a call that fails/ }).check();
  await expect.poll(() => news.get(page)).toBe(1);
  await page.keyboard.press("Escape");
  const other = await context.newPage();
  countNews(other);
  await other.goto(`${server.url}/doctor#t=${server.token}`);
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  for (const one of [page, other]) await setHidden(one, true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));

  // A session that goes on, then one of its agents: of neither page's own.
  writer.prompt("Go on");
  const agent = writer.startAgent("b1b1b1b1", "Look around");
  await expect.poll(() => agent.lastLine).not.toBeNull();
  // Known once the session is running.
  await expect
    .poll(async () => (await ask<NowResponse>(server, "now")).tiles.flatMap(({ agents }) => agents).length)
    .toBeGreaterThan(0);
  const writtenAtMs = performance.now();
  agent.failure(agent.call("Bash", { command: "make all" }), "No rule");
  await expect.poll(() => told(page)).toEqual(["A call of an agent has failed: Bash make all"]);
  test.info().annotations.push({
    type: "told in the background after",
    description: `${Math.round(performance.now() - writtenAtMs)} ms`,
  });
  // It was told by the stream: no list was asked for.
  expect(asked.filter((path) => /\/api\/(now|sessions|events)$/.test(path))).toEqual([]);
  expect(await told(other)).toEqual([]);
  expect(news.get(other)).toBe(0);

  await page.close();
  await expect.poll(() => news.get(other)).toBe(1);
  // The new stream has said how things stand before the next call is written.
  await expect
    .poll(async () => {
      agent.failure(agent.call("Bash", { command: "make clean" }), "No rule");
      return (await told(other)).length;
    })
    .toBeGreaterThan(0);
});

test("background tabs show a session's state, and notify readers who enabled notifications", async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    localStorage.setItem("allowed", "granted");
    localStorage.setItem("backscroll.notify", "needs ends");
  });
  const icon = page.locator('link[rel="icon"]');
  await page.clock.install();
  await openLive(page, server, "?follow=1");
  writer.prompt("Is it tea or coffee?");
  await expect(page).toHaveTitle(/^▸ /);
  await expect(icon).toHaveAttribute("href", "/favicon-running.svg");
  const board = await context.newPage();
  await board.clock.install();
  await board.goto(`${server.url}/now#t=${server.token}`);
  await expect(board.getByRole("feed", { name: "Running sessions" }).getByRole("article")).toHaveCount(1);
  for (const tab of [page, board]) {
    const ended = tab.waitForEvent("requestfailed", (request) => request.url().includes("/api/events"));
    await setHidden(tab, true);
    await ended;
  }
  writer.call("AskUserQuestion", { questions: [{ question: "Tea or coffee?", options: [] }] });
  // The server notices by itself; a tab in the background polls every 15 s.
  await expect.poll(stateOnServer).toBe("waiting");
  for (const tab of [page, board]) await tab.clock.fastForward(16_000);
  await expect(page).toHaveTitle(/^\? /);
  await expect(icon).toHaveAttribute("href", "/favicon-waiting.svg");
  // One tab tells for the browser, whichever that is.
  await expect
    .poll(async () => [...(await told(page)), ...(await told(board))])
    .toEqual(["Has a question for you"]);
  // Its row is waiting too: no spinner is shown while a person is asked.
  const question = page.locator("main article").filter({ hasText: "Question" });
  await expect(question).toContainText("asks a question");
  await expect(question.getByLabel("running")).toHaveCount(0);
});

/** How the session stands, without a page. */
async function stateOnServer(): Promise<string | undefined> {
  const { sessions } = await ask<SessionsResponse>(server, "sessions");
  return sessions.find(({ id }) => id.startsWith(SESSION))?.state;
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { EventReader, type ReadEvent } from "@/lib/client/connection/event-reader";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import type { SessionsResponse } from "@/lib/wire/library";
import type { AgentEntry, AgentsResponse } from "@/lib/wire/session";
import type { LiveEvent } from "../lib/wire/live";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { type CuttingProxy, startCuttingProxy } from "./support/cutting-proxy";
import { type LiveFolder, liveFolder, newLiveSession, openLive, SESSION } from "./support/live-folder";
import { ask, builtServer, startServer, type TestServer } from "./support/server";
import { steady } from "./support/steady";

const CLI = fileURLToPath(new URL("../bin/backscroll.mjs", import.meta.url));

/** What most tests share: each has a session of its own there. */
let shared: { folder: LiveFolder; server: TestServer };
/** Another way to that server, on which its answers can be cut off. */
let proxy: CuttingProxy;
let folder: LiveFolder;
let server: TestServer;
let sessionId: string;
let writer: LogWriter;

test.beforeAll(async () => {
  const own = liveFolder();
  proxy = await startCuttingProxy(() => shared.server.url);
  const args = ["--allow-host", new URL(proxy.url).host];
  shared = { folder: own, server: await startServer({ claudeDirs: [own.dir], args }) };
});
test.afterAll(async () => {
  proxy.stop();
  await shared.server.stop();
  shared.folder.remove();
});
test.beforeEach(async () => {
  ({ folder, server } = shared);
  ({ id: sessionId, writer } = await newLiveSession(folder, server));
});
test.afterEach(async () => {
  if (folder === shared.folder) return;
  await server.stop();
  folder.remove();
});

/** For a test that stops its server, or sees all that runs: a server and a folder of its own. */
async function serveAlone(): Promise<void> {
  folder = liveFolder();
  ({ writer } = folder);
  sessionId = SESSION;
  server = await startServer({ claudeDirs: [folder.dir] });
}

const openSession = (page: Page, query = "") => openLive(page, server, query, sessionId);

/** The id and position of the row that is being read. */
async function positionOf(session: SessionPage): Promise<{ id: string; top: number }> {
  return session.thread.evaluate((main) => {
    const middle = main.getBoundingClientRect().top + 240;
    const row = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")].find(
      (one) => one.getBoundingClientRect().top > middle,
    );
    return { id: row?.dataset.recordId ?? "", top: row?.getBoundingClientRect().top ?? 0 };
  });
}

function topOf(session: SessionPage, id: string): Promise<number> {
  return session
    .row(id)
    .first()
    .evaluate((row) => row.getBoundingClientRect().top);
}

test("a reader at the end sees each line as it is written", async ({ page }) => {
  const problems = await watchPolicy(page);
  const session = await openSession(page, "?follow=1");
  for (let n = 1; n <= 5; n++) {
    writer.say(`Written just now, ${n}`);
    await expect(session.thread.getByText(`Written just now, ${n}`)).toBeInViewport();
  }
  await expect(session.thread.getByText("Written just now, 3")).toHaveCount(1);
  await expect(page.getByText("Following")).toBeVisible();
  expect(problems).toEqual([]);
});

test("a reader in the middle is not moved, but notified", async ({ page }) => {
  const session = await openSession(page);
  await session.scrollTo(0.5);
  // The rows at the new position render a frame after the scroll.
  await expect.poll(async () => (await positionOf(session)).id).not.toBe("");
  const before = await positionOf(session);
  const refreshed = page.waitForResponse((response) => response.url().includes("/rows?"));
  for (let n = 1; n <= 12; n++) writer.say(`Below, ${n}`);
  const pill = page.getByRole("button", { name: "12 new" });
  await expect(pill).toBeVisible();
  await expect(page.getByText("Following")).toHaveCount(0);
  // Content above the new rows is refreshed up to a second later, and drawn in the frame after that.
  await (await refreshed).finished();
  expect(await steady(page, () => topOf(session, before.id))).toBe(before.top);
  // They are as new in another view of the thread.
  const list = await session.thread.elementHandle();
  await session.press("4");
  await expect.poll(() => list?.evaluate((main) => main.isConnected)).toBe(false);
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(session.thread.getByText("Below, 12")).toBeInViewport();
  await expect(pill).toHaveCount(0);
});

test("a line that continues from an earlier prompt notifies a reader and is followed at the end", async ({
  page,
  context,
}) => {
  const reading = await openSession(page);
  await reading.scrollTo(0.5);
  // A tab that is hidden at once would not have heard that its reader left the end.
  await expect.poll(async () => (await positionOf(reading)).id).not.toBe("");
  await expect(page.getByText("Following")).toHaveCount(0);
  const follower = await context.newPage();
  const following = await openSession(follower, "?follow=1");
  await page.bringToFront();
  const before = await positionOf(reading);
  const rewound = new LogWriter(logOf(folder.dir, sessionId), "root");
  rewound.prompt("Another beginning");
  rewound.say("Said on the other branch");
  await expect(page.getByText(/went on from an earlier prompt/)).toBeVisible();
  await expect(reading.row(before.id).first()).toBeInViewport();
  await follower.bringToFront();
  await expect(following.thread.getByText("Said on the other branch")).toBeInViewport();
});

test("across a server restart no line is missing or doubled", async ({ page }) => {
  await serveAlone();
  const session = await openSession(page, "?follow=1");
  const port = new URL(server.url).port;
  const { dataDir } = server;
  // Requests made in the second after this find no server.
  writer.say("Written just before");
  await expect(session.thread.getByText("Written just before")).toBeInViewport();
  const following = page.getByRole("contentinfo").getByText("Following");
  await expect(following).toBeVisible();
  server.process.kill();
  await expect(page.getByText(/Disconnected since/)).toBeVisible();
  // What was known last is not told as if it were still so.
  await expect(following).toHaveCount(0);
  writer.say("Written while nobody listened");
  server = await startServer({ claudeDirs: [folder.dir], dataDir, args: ["--port", port] });
  await expect(session.thread.getByText("Written while nobody listened")).toBeInViewport();
  writer.say("And after that");
  await expect(session.thread.getByText("And after that")).toBeInViewport();
  await expect(session.thread.getByText("Written while nobody listened")).toHaveCount(1);
  await expect(page.getByText(/Disconnected since/)).toHaveCount(0);
});

test("a network failure is shown, and missed lines arrive after it", async ({ page }) => {
  try {
    const session = await openBehindProxy(page);
    proxy.setDown(true);
    writer.say("Written without a network");
    await expect(page.getByText(/Disconnected since/)).toBeVisible();
    await expect(session.thread.getByText("Written without a network")).toHaveCount(0);
    proxy.setDown(false);
    await expect(session.thread.getByText("Written without a network")).toBeInViewport();
    await expect(session.thread.getByText("Written without a network")).toHaveCount(1);
    await expect(page.getByText(/Disconnected since/)).toHaveCount(0);
  } finally {
    proxy.setDown(false);
  }
});

/** The session as a page has it that reaches its server through the proxy. */
function openBehindProxy(page: Page): Promise<SessionPage> {
  return openLive(page, { ...server, url: proxy.url }, "?follow=1", sessionId);
}

test("a sleeping tab holds no stream, and gets each missed line once when it wakes up", async ({ page }) => {
  const session = await openSession(page, "?follow=1");
  const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/events"));
  await setHidden(page, true);
  await ended;
  for (let n = 1; n <= 3; n++) writer.say(`Written while it slept, ${n}`);
  const resumed = page.waitForRequest((request) => request.url().includes("/api/events"));
  await setHidden(page, false);
  expect(new URL((await resumed).url()).searchParams.get("since")).toMatch(/^[^:]+:\d+\.\d+$/);
  for (let n = 1; n <= 3; n++) {
    await expect(session.thread.getByText(`Written while it slept, ${n}`)).toBeInViewport();
    await expect(session.thread.getByText(`Written while it slept, ${n}`)).toHaveCount(1);
  }
  writer.say("And after it woke");
  await expect(session.thread.getByText("And after it woke")).toBeInViewport();
});

/** Simulates the event for a tab in the background or a sleeping machine. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("background tabs show a session's state, and notify readers who enabled notifications", async ({
  page,
  context,
}) => {
  await serveAlone();
  await context.addInitScript(() => {
    localStorage.setItem("backscroll.notify", "needs ends");
    const told: string[] = [];
    class Told {
      static readonly permission = "granted";
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { Notification: Told, told });
  });
  const told = (tab: Page) => tab.evaluate(() => (window as unknown as { told: string[] }).told);
  const icon = page.locator('link[rel="icon"]');
  await page.clock.install();
  await openSession(page, "?follow=1");
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
    .toEqual([expect.stringContaining(": Has a question for you")]);
  // Its row is waiting too: no spinner is shown while a person is asked.
  const question = page.locator("main article").filter({ hasText: "Question" });
  await expect(question).toContainText("asks a question");
  await expect(question.getByLabel("running")).toHaveCount(0);
});

/** How the session stands, without a page. */
async function stateOnServer(): Promise<string | undefined> {
  const { sessions } = await ask<SessionsResponse>(server, "sessions");
  return sessions.find(({ id }) => id.startsWith(sessionId))?.state;
}

test("a page whose stream is cut at any byte shows each line once", async ({ page }) => {
  const lines = Array.from({ length: 24 }, (_, n) => `Cut line ${n + 1}.`);
  const before = proxy.cuts();
  proxy.cutWithin(3_000);
  try {
    const session = await openBehindProxy(page);
    for (const line of lines) {
      writer.say(line);
      // The pace of a client: written at once they would come in one piece, which is cut once.
      await page.waitForTimeout(150);
    }
    await expect(session.thread.getByText(lines.at(-1) ?? "")).toBeInViewport();
    expect(proxy.cuts() - before).toBeGreaterThan(2);
    const shown = () => session.rows.filter({ hasText: "Cut line" }).allInnerTexts();
    await expect
      .poll(async () => (await shown()).map((text) => /Cut line \d+\./.exec(text)?.[0]))
      .toEqual(lines);
  } finally {
    proxy.cutWithin(Number.POSITIVE_INFINITY);
  }
});

test("a stream that is cut anywhere resumes where it was", async () => {
  let since: string | null = null;
  let resets = 0;
  for (let cut = 0; cut < 12; cut++) {
    const line = `Cut ${cut}.`;
    // The session's state may tell the line before its thread does.
    const isTold = (told: Told) => told.some(({ id }) => id !== null) && JSON.stringify(told).includes(line);
    const told = await readUntil(isTold, since, 400 + ((cut * 1_371) % 5_000), () => writer.say(line));
    for (const { id, event } of told) {
      since = id ?? since;
      if (event.kind === "reset") resets += 1;
    }
  }
  expect(since).toMatch(/^[^:]+:\d+\.\d+$/);
  expect(resets).toBe(0);
  expect(await resumed("1a-2b-nonsense:12.0")).toContain("reset");
  expect(await resumed(since ?? "")).not.toContain("reset");
});

type Told = ReadEvent<LiveEvent>[];

/** Reads the session's stream, calls `begun` with its first bytes, and cuts it after `bytes` bytes, or when all is told. */
function readUntil(
  isAll: (told: Told) => boolean,
  since: string | null,
  bytes: number,
  begun: () => void,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const events = new EventReader<LiveEvent>();
    const told: Told = [];
    let left = bytes;
    const headers = { authorization: `Bearer ${server.token}`, ...(since ? { "last-event-id": since } : {}) };
    const request = get(
      `${server.url}/api/events?session=${sessionId}`,
      { headers, agent: false },
      (answer) => {
        answer.on("error", () => undefined); // the connection was cut
        answer.once("data", begun);
        answer.on("data", (chunk: Buffer) => {
          told.push(...events.take(chunk.subarray(0, left).toString("latin1")));
          left -= chunk.length;
          if (left > 0 && !isAll(told)) return;
          request.destroy();
          resolve(told);
        });
      },
    );
    request.once("error", reject);
  });
}

/** How a stream goes on from a place: the first event with an id tells that. */
async function resumed(since: string): Promise<LiveEvent["kind"][]> {
  const isTold = (told: Told) => told.some(({ id }) => id !== null);
  return (await readUntil(isTold, since, 100_000, () => undefined)).map(({ event }) => event.kind);
}

test("a session that is opened before its first line appears with it", async ({ page }) => {
  const id = "0badf00d-1111-4222-8333-444444444444";
  await page.goto(`${server.url}/sessions/${id}#t=${server.token}`);
  await expect(page.getByRole("heading", { name: "Session not found" })).toBeVisible();
  new LogWriter(join(dirname(logOf(folder.dir, sessionId)), `${id}.jsonl`), "root").prompt(
    "The very first words",
  );
  const thread = new SessionPage(page).thread;
  await expect(thread.getByRole("feed").getByText("The very first words")).toBeVisible();
  await expect(page.getByText("Session not found")).toHaveCount(0);
  await expect(page.getByText(/Reconnected after/)).toHaveCount(0);
  const outline = page.getByRole("complementary", { name: "Outline" });
  await expect(outline.getByText("The very first words")).toBeVisible();
});

for (const where of ["pane", "page of its own", "call"] as const)
  test(`an agent that is only just known has its rows when they are there, in its ${where}`, async ({
    page,
  }) => {
    writer.prompt("Look at the side");
    const id = "c3cccccccccccccc";
    writer.startAgent(id, "Read the side").say("Side, line 1");
    let asked = 0;
    const isAgents = (url: URL) => url.pathname.endsWith("/rows") && url.searchParams.get("agent") === id;
    await page.route(isAgents, async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const error = { code: "agent-not-found", message: "There is no such agent in this session", hint: "" };
      await route.fulfill({ status: 404, json: { error } });
    });
    const query = { pane: `?panes=agent:${id}`, "page of its own": `?agent=${id}`, call: "?follow=1" };
    const session = await openSession(page, query[where]);
    const call = session.rows.filter({ hasText: "Read the side" });
    if (where === "call") await session.open(call);
    const shown = {
      pane: page.getByRole("region", { name: "Agent Read the side" }),
      "page of its own": session.thread,
      call: call.locator("[data-record-id]"),
    };
    await expect.poll(() => asked).toBeGreaterThan(1);
    await expect(shown[where].getByText("Side, line 1", { exact: true })).toBeVisible();
  });

/** The session's agents as the server tells them; none while it reads the session. */
async function knownAgents(): Promise<AgentEntry[]> {
  const { agents } = await ask<Partial<AgentsResponse>>(server, `sessions/${sessionId}/agents`);
  return agents ?? [];
}

test("agents side by side are live, and their calls show their current step", async ({ page }) => {
  await serveAlone();
  writer.prompt("Look at both ends");
  const reader = writer.startAgent("a1aaaaaaaaaaaaaaa", "Read the front");
  const searcher = writer.startAgent("b2bbbbbbbbbbbbbbb", "Search the back");
  for (let n = 1; n <= 40; n++) reader.say(`Front, line ${n}`);
  searcher.say("Back, line 1");
  // A pane opens at its end if the server knows by then that its agent runs.
  await expect
    .poll(async () => (await knownAgents()).filter(({ state }) => state === "running"))
    .toHaveLength(2);
  const problems = await watchPolicy(page);
  const panes = "agent:a1aaaaaaaaaaaaaaa,agent:b2bbbbbbbbbbbbbbb";
  const streams: string[] = [];
  page.on("request", (request) => request.url().includes("/api/events") && streams.push(request.url()));
  const session = await openSession(page, `?follow=1&panes=${panes}`);
  const front = page.getByRole("region", { name: "Agent Read the front" });
  const back = page.getByRole("region", { name: "Agent Search the back" });
  // Opens at its end, since it is running.
  await expect(front.getByText("Front, line 40")).toBeInViewport();
  await expect(back.getByText("Back, line 1")).toBeVisible();
  // One stream carries the thread and both agents.
  const carried = () =>
    ["a1aaaaaaaaaaaaaaa", "b2bbbbbbbbbbbbbbb"].filter((id) => streams.at(-1)?.includes(id));
  await expect.poll(carried).toHaveLength(2);
  for (let n = 41; n <= 44; n++) {
    reader.say(`Front, line ${n}`);
    searcher.say(`Back, line ${n}`);
    await expect(front.getByText(`Front, line ${n}`)).toBeInViewport();
    await expect(back.getByText(`Back, line ${n}`)).toBeInViewport();
  }
  const call = session.rows.filter({ hasText: "Read the front" });
  reader.call("Read", { file_path: "/home/dev/bench/front-door.ts" });
  await expect(call).toContainText("front-door.ts");
  await expect(call.getByLabel("running")).toBeVisible();
  await expect(front.locator("article", { hasText: "front-door.ts" })).toHaveCount(1);

  // A reader further up in a pane is not moved, but notified.
  const list = front.getByRole("region", { name: "Thread of Read the front" });
  await list.evaluate((element) => element.scrollTo(0, 0));
  await expect(front.getByText("Front, line 1", { exact: true })).toBeInViewport();
  reader.say("Below");
  await expect(front.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(front.getByText("Front, line 1", { exact: true })).toBeInViewport();

  expect(problems).toEqual([]);

  // No row is missing or doubled after the server was away.
  const port = new URL(server.url).port;
  const { dataDir } = server;
  server.process.kill();
  await expect(page.getByText(/Disconnected since/)).toBeVisible();
  searcher.say("Said while nobody listened");
  server = await startServer({ claudeDirs: [folder.dir], dataDir, args: ["--port", port] });
  await expect(back.getByText("Said while nobody listened")).toBeInViewport();
  await expect(back.getByText("Said while nobody listened")).toHaveCount(1);
  searcher.say("And after that");
  await expect(back.getByText("And after that")).toBeInViewport();

  // The board has a line for each of them.
  await page.goto(`${server.url}/now`);
  const tile = page.getByRole("feed", { name: "Running sessions" }).getByRole("article").first();
  await expect(tile).toContainText(/Search the back\s+·\s+And after that/);
  reader.call("Grep", { pattern: "a last look" });
  await expect(tile).toContainText(/Read the front\s+·\s+Grep a last look/);
});

test("an agent's thread inside its call is live, and stays as it was opened", async ({ page }) => {
  writer.prompt("Look at both ends");
  const agent = writer.startAgent("a1aaaaaaaaaaaaaaa", "Read the front");
  for (let n = 1; n <= 60; n++) agent.say(`Front, line ${n}`);
  const session = await openSession(page, "?follow=1");
  const call = session.rows.filter({ hasText: "Read the front" });
  await session.open(call);
  const row = (text: string) => call.locator("[data-record-id]").filter({ hasText: text });
  // A running agent is shown at its end.
  await expect(row("Front, line 60")).toBeVisible();
  await expect(row("Front, line 10")).toHaveCount(0);
  const stream = page.waitForResponse((response) => /events.*agents=a1aaaaaaaaaaaaaaa/.test(response.url()));
  await page.reload();
  // It is open as before.
  await stream;
  // Its row does not move when opened; new lines are followed at the end.
  await expect(row("Front, line 60")).toBeVisible();
  await expect(async () => {
    await session.scrollTo(1);
    await steady(page, () => session.thread.evaluate(({ scrollTop }) => scrollTop));
    await expect(row("Front, line 60")).toBeInViewport({ timeout: 1 });
  }).toPass();

  // From now on requests for the agent's rows are never answered: they arrive with the events, or not at all.
  const asked: (() => Promise<void>)[] = [];
  await page.route(/rows\?.*agent=/, (route) => void asked.push(() => route.continue()));
  for (let n = 61; n <= 66; n++) {
    agent.say(`Front, line ${n}`);
    await expect(row(`Front, line ${n}`)).toBeInViewport();
    await expect(row(`Front, line ${n}`)).toHaveCount(1);
  }
  const read = agent.call("Read", { file_path: "/home/dev/bench/front-door.ts" });
  await row("front-door.ts")
    .getByRole("button", { name: /^Open /, expanded: false })
    .click();
  await expect(row("front-door.ts").getByText("No result yet")).toBeVisible();
  agent.result(read, "export const isOpen = true;");
  await expect(row("front-door.ts").getByText("isOpen = true")).toBeVisible();

  // In a pane beside the thread as well: both receive the events.
  await page.getByRole("button", { name: "Open Read the front beside" }).first().click();
  const pane = page.getByRole("region", { name: "Agent Read the front" });
  await page.unroute(/rows\?.*agent=/);
  // The page has aborted some of them by now.
  for (const go of asked) await go().catch(() => undefined);
  await expect(pane.getByText("Front, line 66")).toBeVisible();
  await steady(page, () => pane.innerText());
  agent.say("Told twice");
  await expect(pane.getByText("Told twice")).toBeInViewport();
  await expect(row("Told twice")).toBeVisible();

  // A reader in the middle is not moved by new lines at the end, nor when the agent finishes.
  await session.thread.evaluate((main) => main.scrollBy(0, -600));
  const topOfRow = () => row("Front, line 40").evaluate((element) => element.getBoundingClientRect().top);
  const before = await steady(page, topOfRow);
  for (let n = 67; n <= 72; n++) agent.say(`Front, line ${n}`);
  await expect(row("Front, line 72")).toHaveCount(1);
  await expect(row("front-door.ts").getByText("isOpen = true")).toHaveCount(1);
  expect(await topOfRow()).toBe(before);

  // After scrolling away and back it is unchanged.
  await session.press("g", "g");
  await expect(row("Front, line 40")).toHaveCount(0);
  await session.scrollTo(1);
  await expect(row("front-door.ts").getByText("isOpen = true")).toHaveCount(1);
  agent.say("And after that");
  await expect(row("And after that")).toHaveCount(1);
});

test("the library and the board show what runs", async ({ page }) => {
  const stream = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`${server.url}/#t=${server.token}`);
  await stream;
  writer.prompt("Go on, please");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${sessionId}"]`) });
  await expect(row).toContainText("Thinking");
  await page.goto(`${server.url}/now`);
  const tile = page.locator(`article[data-session-id="${sessionId}"]`);
  await expect(tile).toContainText("Go on, please");
  writer.say("The newest thing said");
  await expect(tile).toContainText("The newest thing said");
});

test("without file watches folders are polled, and the page says so", async ({ page }) => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-watches-"));
  // The limit can be lowered in a user namespace; where those are not allowed, nothing is limited.
  const limited = 'echo 3 > /proc/sys/user/max_inotify_watches 2>/dev/null; exec "$0" "$@"';
  const child = spawn(
    "unshare",
    [
      "-Ur",
      "sh",
      "-c",
      limited,
      process.execPath,
      CLI,
      "--port",
      "0",
      "--no-open",
      "--data-dir",
      dataDir,
      "--claude-dir",
      folder.dir,
    ],
    { env: { ...process.env, BACKSCROLL_SERVER: builtServer() }, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [, base, token] = await new Promise<RegExpExecArray>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const found = /(http:\S+)\/#t=(\S+)/.exec(text);
        if (found) resolve(found);
      });
    });
    const session = new SessionPage(page);
    const stream = page.waitForResponse((response) => response.url().includes("/api/events"));
    await page.goto(`${base}/sessions/${sessionId}?follow=1#t=${token}`);
    await session.ready();
    await stream;
    writer.say("Seen without a watch");
    await expect(session.thread.getByText("Seen without a watch")).toBeInViewport();
    await expect(page.getByText(/polled every 2 s/)).toBeVisible();
    await page.goto(`${base}/`);
    await expect(page.getByText(/folders? (is|are) polled every 2 s/)).toBeVisible();
  } finally {
    child.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

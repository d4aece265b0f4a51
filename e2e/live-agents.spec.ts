import { expect } from "@playwright/test";
import type { AgentEntry, AgentsResponse } from "@/lib/wire/session";
import { watchPolicy } from "./pages/watch-policy";
import { serveLive } from "./support/live-server";
import { ask } from "./support/server";
import { steady } from "./support/steady";
import { test } from "./support/test";

const live = serveLive();

for (const where of ["pane", "page of its own", "call"] as const)
  test(`an agent that is only just known has its rows when they are there, in its ${where}`, async ({
    page,
  }) => {
    live.writer.prompt("Look at the side");
    const id = "c3cccccccccccccc";
    live.writer.startAgent(id, "Read the side").say("Side, line 1");
    let asked = 0;
    const isAgents = (url: URL) => url.pathname.endsWith("/rows") && url.searchParams.get("agent") === id;
    await page.route(isAgents, async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const error = { code: "agent-not-found", message: "There is no such agent in this session", hint: "" };
      await route.fulfill({ status: 404, json: { error } });
    });
    const query = { pane: `?panes=agent:${id}`, "page of its own": `?agent=${id}`, call: "?follow=1" };
    const session = await live.open(page, query[where]);
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
  const { agents } = await ask<Partial<AgentsResponse>>(live.server, `sessions/${live.sessionId}/agents`);
  return agents ?? [];
}

test("agents side by side are live, and their calls show their current step", async ({ page }) => {
  await live.startOwn();
  live.writer.prompt("Look at both ends");
  const reader = live.writer.startAgent("a1aaaaaaaaaaaaaaa", "Read the front");
  const searcher = live.writer.startAgent("b2bbbbbbbbbbbbbbb", "Search the back");
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
  const session = await live.open(page, `?follow=1&panes=${panes}`);
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
  live.kill();
  await expect(page.getByText(/Disconnected since/)).toBeVisible();
  searcher.say("Said while nobody listened");
  await live.startAgain();
  await expect(back.getByText("Said while nobody listened")).toBeInViewport();
  await expect(back.getByText("Said while nobody listened")).toHaveCount(1);
  searcher.say("And after that");
  await expect(back.getByText("And after that")).toBeInViewport();

  // The board has a line for each of them.
  await page.goto(`${live.server.url}/now`);
  const tile = page.getByRole("feed", { name: "Running sessions" }).getByRole("article").first();
  await expect(tile).toContainText(/Search the back\s+·\s+And after that/);
  reader.call("Grep", { pattern: "a last look" });
  await expect(tile).toContainText(/Read the front\s+·\s+Grep a last look/);
});

test("an agent's thread inside its call is live, and stays as it was opened", async ({ page }) => {
  live.writer.prompt("Look at both ends");
  const agent = live.writer.startAgent("a1aaaaaaaaaaaaaaa", "Read the front");
  for (let n = 1; n <= 60; n++) agent.say(`Front, line ${n}`);
  const session = await live.open(page, "?follow=1");
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

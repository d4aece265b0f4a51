import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Recording } from "@/lib/testing/recorded";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn, seriousViolationsInBothSchemes } from "./support/accessibility";
import { copiedBy } from "./support/clipboard";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { test } from "./support/test";

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const NESTED = "3f45ef1b-8857-4eff-95a0-66f76b562ec2";
const BRANCHED = "bc3eabb5-f3f0-40ee-93ba-9144e383217c";
const REWOUND = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";

let server: RecordedServer;
test.beforeAll(async () => {
  server = await serveRecordings(["2.1.330"]);
});
test.afterAll(() => server.stop());

const link = (path: string) => `${server.url}${path}#t=${server.token}`;

test("a branch is switched by keys, and the fork keeps its position; the graph is navigated by keys, and leads back to the row", async ({
  page,
}) => {
  const problems = await watchPolicy(page);
  const tree = page.getByRole("tree", { name: "Graph of the session" });
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${REWOUND}`));
  await session.ready();
  const fork = session.rows.filter({ hasText: "2 of 2" });
  const before = await fork.boundingBox();
  await fork.getByRole("button", { name: "Previous branch" }).focus();
  await session.press("Enter");
  const switched = session.rows.filter({ hasText: "1 of 2" });
  await expect(switched).toBeVisible();
  await expect(page).toHaveURL(/branch=/);
  const after = await switched.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
  await expect(switched).toBeFocused();
  await switched.getByRole("button", { name: "Next branch" }).focus();
  await session.press("Enter");
  await expect(session.rows.filter({ hasText: "2 of 2" })).toBeFocused();

  await test.step("the list of keys shows the graph's keys while it is open, and none of the thread's", async () => {
    await session.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await expect(keys.getByText("next error")).toBeVisible();
    await session.press("Escape");
    await expect(keys).toHaveCount(0);
    await session.press("g");
    await expect(tree).toBeFocused();
    await session.press("?");
    await expect(keys.getByText("expand or fold")).toBeVisible();
    await expect(keys.getByText("next error")).toHaveCount(0);
    await session.press("Escape");
    await expect(keys).toHaveCount(0);
  });

  await test.step("the graph is navigated by keys, and leads back to the row", async () => {
    await expect(tree).toBeFocused();
    await expect(page).toHaveURL(/view=graph/);
    const selected = tree.getByRole("treeitem", { selected: true });
    await session.press("Home");
    await expect(selected).toContainText("Turn 1");
    await session.press("ArrowRight", "ArrowDown");
    await expect(selected).toContainText("Turn 2");
    await expect(selected).toContainText("Edit.");
    await session.press("ArrowRight");
    await expect(selected).toContainText("10 rows of turn 2");
    await session.press("e");
    await expect(selected).toContainText("Thinking");
    await session.press("ArrowRight", "ArrowRight");
    await expect(selected).toContainText("Read");
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await session.press("Enter");
    await expect(tree).toHaveCount(0);
    await expect(page).toHaveURL(/branch=/);
    await expect(session.thread.locator('article[tabindex="0"]')).toContainText("hello.py");
  });
  expect(problems).toEqual([]);
});

test("two agents open side by side, and close one by one", async ({ page }) => {
  const problems = await watchPolicy(page);
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${AGENTS}`));
  await session.ready();

  await test.step("a lane names its agent, and links to the agent's call", async () => {
    const passing = session.rows.filter({ hasText: "All three sub-agents" });
    const lane = passing.getByTitle("Agent running").first();
    await lane.hover();
    await expect(passing.getByTitle(/Explore code · general-purpose\ndone · 3 tools/)).toBeVisible();
    await page.mouse.down();
    await page.mouse.up();
    await expect(session.thread.locator('article[tabindex="0"]')).toContainText("Explore code");
  });

  await page.getByRole("button", { name: "Open Explore code beside" }).click();
  await page.getByRole("button", { name: "Open Failing check beside" }).click();
  const first = page.getByRole("region", { name: "Agent Explore code" });
  const second = page.getByRole("region", { name: "Agent Failing check" });
  await expect(first.getByText("prices.json")).toBeVisible();
  await expect(second.locator("article[data-record-id]").first()).toBeVisible();
  await expect(page).toHaveURL(/panes=agent:aeed47c311319a267,agent:aef426cb5485217c7/);
  expect(await seriousViolationsIn(page)).toEqual([]);

  const edge = page.getByRole("separator", { name: "Width of the agents" });
  const wide = (await first.boundingBox())?.width ?? 0;
  await edge.focus();
  await session.press("ArrowLeft");
  expect((await first.boundingBox())?.width).toBe(wide + 24);
  const between = page.getByRole("separator", { name: "Height of pane 1" });
  const heightOf = async (pane: typeof first) => (await pane.boundingBox())?.height ?? 0;
  const high = await heightOf(first);
  await between.focus();
  await session.press("ArrowDown", "ArrowDown");
  const share = (await heightOf(first)) / (high * 2);
  expect(share).toBeCloseTo(0.6, 1);
  const box = await between.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 50, box?.y ?? 0);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) - 200, { steps: 4 });
  await page.mouse.up();
  const low = await heightOf(first);
  expect(low).toBeLessThan(high);
  await page.reload();
  await expect(first).toBeVisible();
  expect((await first.boundingBox())?.width).toBe(wide + 24);
  expect(await heightOf(first)).toBeCloseTo(low, 0);

  await page.getByRole("button", { name: "Close Agent Explore code" }).click();
  await expect(first).toHaveCount(0);
  await expect(second).toBeVisible();
  expect(problems).toEqual([]);
});

test("a nested agent opens beside its parent; the URL reopens the same panes at the same row", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${NESTED}`));
  await session.ready();
  await session.press("j", "j", "p");
  const outer = page.getByRole("region", { name: "Agent Outer agent" });
  await outer.getByRole("button", { name: "Open Inner agent beside" }).click();
  await expect(page.getByRole("region", { name: "Agent Inner agent" })).toBeVisible();
  const selected = session.thread.locator('article[tabindex="0"]');
  const recordId = await selected.getAttribute("data-record-id");
  await selected.focus();
  const address = await copiedBy(page, () => session.press("y"));

  const other = await context.newPage();
  await other.goto(`${address}#t=${server.token}`);
  await expect(other.getByRole("region", { name: "Agent Outer agent" })).toBeVisible();
  await expect(other.getByRole("region", { name: "Agent Inner agent" })).toBeVisible();
  const there = new SessionPage(other);
  await there.ready();
  await expect(there.thread.locator('article[tabindex="0"]')).toHaveAttribute(
    "data-record-id",
    recordId ?? "",
  );

  // Who read the nested agent is back in its parent when Back closes it, and the keys are.
  const rowOf = (name: string) =>
    page
      .getByRole("region", { name: `Thread of ${name}` })
      .locator("article")
      .first();
  await rowOf("Outer agent").click({ position: { x: 200, y: 8 } });
  await rowOf("Inner agent").click({ position: { x: 200, y: 8 } });
  await page.goBack();
  await expect(page.getByRole("region", { name: "Agent Inner agent" })).toHaveCount(0);
  await expect(rowOf("Outer agent")).toBeFocused();
});

test("a new record appears in the graph at once", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${REWOUND}`));
  await session.ready();
  await session.press("g");
  const tree = page.getByRole("tree", { name: "Graph of the session" });
  const selected = tree.getByRole("treeitem", { selected: true });
  await expect(tree).toBeFocused();
  await session.press("End");
  await expect(selected).toContainText("of turn 3");
  const minimaps: string[] = [];
  page.on("request", (request) => void (request.url().includes("rows=1") && minimaps.push(request.url())));
  addPrompt(server.recordings[0], REWOUND, "And one more thing.");
  await expect(async () => {
    await session.press("End");
    await expect(selected).toContainText("Turn 4", { timeout: 300 });
  }).toPass();
  // The graph covers the thread's minimap, which is only refetched when it is visible again.
  expect(minimaps).toEqual([]);
  await session.press("Enter");
  await expect(session.rows.filter({ hasText: "And one more thing." })).toBeVisible();
  await expect.poll(() => minimaps.length).toBeGreaterThan(0);
});

test("after a rewind to a record the thread ends there and links to the abandoned branch", async ({
  page,
}) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${BRANCHED}`));
  await session.ready();
  await session.press("End");
  const left = session.rows.filter({ hasText: "Going on in the branch." });
  await expect(left.first()).toBeVisible();
  const { path, lines } = logOf(server.recordings[0], BRANCHED);
  const prompt = lines.find(({ message }) => String(message?.content).startsWith("Going on in the branch."));
  appendFileSync(
    path,
    `${JSON.stringify({ type: "last-prompt", leafUuid: prompt?.parentUuid, explicit: true })}\n`,
  );
  const end = session.rows.filter({ hasText: "Ends here" });
  await expect(end).toContainText("3 of 3");
  await expect(session.rows.last()).toContainText("Ends here");
  await end.getByRole("button", { name: /Going on in the branch/ }).focus();
  await session.press("Enter");
  const back = session.rows.filter({ hasText: "2 of 3" }).filter({ hasText: "Ends here" });
  await expect(back).toBeFocused();
  await expect(session.rows.last()).not.toContainText("Ends here");
  await back.getByRole("button", { name: /Ends here/ }).focus();
  await session.press("Enter");
  await expect(session.rows.last()).toContainText("Ends here");
});

test("on a narrow screen a pane fills the screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link(`/sessions/${AGENTS}?panes=agent:aeed47c311319a267`));
  const pane = page.getByRole("region", { name: "Agent Explore code" });
  await expect(pane).toBeVisible();
  expect((await pane.boundingBox())?.width).toBe(390);
  await page.getByRole("button", { name: "Close Agent Explore code" }).click();
  await expect(pane).toHaveCount(0);
});

type Line = { type: string; uuid?: string; parentUuid?: string; message?: { content?: unknown } };

/** A session's main log and its lines. */
function logOf({ claudeDir }: Recording, id: string): { path: string; lines: Line[] } {
  const projects = join(claudeDir, "projects");
  const folder = readdirSync(projects).find((one) => existsSync(join(projects, one, `${id}.jsonl`)));
  const path = join(projects, folder ?? "", `${id}.jsonl`);
  const text = readFileSync(path, "utf8").trim();
  return { path, lines: text.split("\n").map((line) => JSON.parse(line) as Line) };
}

/** Appends a prompt to a session's log, as a child of the last record. */
function addPrompt(of: Recording, id: string, content: string): void {
  const { path, lines } = logOf(of, id);
  const prompt = lines.findLast(
    ({ type, message }) => type === "user" && typeof message?.content === "string",
  );
  const last = lines.findLast(({ uuid }) => uuid !== undefined);
  const line = {
    ...prompt,
    uuid: randomUUID(),
    parentUuid: last?.uuid,
    timestamp: new Date().toISOString(),
    message: { role: "user", content },
  };
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("the graph is zoomed and panned with two fingers, and with the wheel and a modifier key", async ({
    page,
  }) => {
    const session = new SessionPage(page);
    await page.goto(link(`/sessions/${AGENTS}?view=graph`));
    await session.ready();
    const canvas = page.locator("[data-graph] canvas").last();
    const box = await canvas.boundingBox();
    if (!box) throw new Error("no picture");
    const percent = async () => Number.parseInt(await page.getByText(/^\d+ %$/).innerText(), 10);
    const selected = page.getByRole("treeitem", { selected: true });
    const before = await selected.textContent();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = await page.context().newCDPSession(page);
    const pinch = async (fromPx: number, toPx: number) => {
      const fingers = (apart: number) => [
        { x: x - apart / 2, y, id: 1 },
        { x: x + apart / 2, y, id: 2 },
      ];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(fromPx) });
      for (let step = 1; step <= 8; step++) {
        const apart = fromPx + ((toPx - fromPx) * step) / 8;
        await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
      }
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const whole = await percent();
    await pinch(120, 240);
    await expect.poll(percent).toBeGreaterThan(whole * 1.9);
    const near = await percent();
    expect(near).toBeLessThan(whole * 2.1);
    await pinch(240, 120);
    await expect.poll(percent).toBeLessThan(near * 0.55);
    // The page itself is not zoomed, and the gesture does not count as a press on an item.
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
    expect(await selected.textContent()).toBe(before);

    await page.mouse.move(x, y);
    const far = await percent();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await expect.poll(percent).toBeGreaterThan(far);
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  });
});

import { devices, expect, type Locator, type Page, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { expectEye, eyeOf, seen } from "./support/random-reader";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";

// What is opened is an entry of the browser's history: Back undoes what was opened last, and nothing else.

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const REWOUND = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";

let server: RecordedServer;
test.beforeAll(async () => {
  server = await serveRecordings(["2.1.330"]);
});
test.afterAll(() => server.stop());

async function openSession(page: Page, id = AGENTS, query = ""): Promise<SessionPage> {
  const session = new SessionPage(page);
  // As from the library: an entry that belongs to the product is below.
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
  await page.goto(`${server.url}/sessions/${id}${query}`);
  await session.ready();
  return session;
}

const tabs = (page: Page) => page.getByRole("group", { name: "View" });

async function expectLit(page: Page, name: string): Promise<void> {
  for (const tab of await tabs(page).getByRole("button").all())
    await expect(tab).toHaveAttribute("aria-pressed", String((await tab.textContent()) === name));
}

test("Thread, Graph and Changes are tabs, each lit where it is shown, and each in the history", async ({
  page,
}) => {
  const session = await openSession(page);
  const changes = page.getByRole("region", { name: "Changes" });
  const graph = page.locator("[data-graph]");
  await expect(tabs(page).getByRole("button")).toHaveText(["Thread", "Graph", "Changes"]);
  await expectLit(page, "Thread");
  await tabs(page).getByRole("button", { name: "Graph" }).click();
  await expect(graph).toBeVisible();
  await expectLit(page, "Graph");
  await tabs(page).getByRole("button", { name: "Changes" }).click();
  await expect(changes).toBeVisible();
  await expectLit(page, "Changes");
  await page.goBack();
  await expect(graph).toBeVisible();
  await expectLit(page, "Graph");
  await page.goBack();
  await expect(graph).toHaveCount(0);
  await expectLit(page, "Thread");
  await page.goForward();
  await expect(graph).toBeVisible();
  await session.press("d");
  await expect(changes).toBeVisible();
  await expectLit(page, "Changes");
  await tabs(page).getByRole("button", { name: "Thread" }).click();
  await expect(changes).toHaveCount(0);
  await expectLit(page, "Thread");
  await page.goBack();
  await expect(changes).toBeVisible();
});

/** What Back has to close, by what opens it. */
const OPENED: [
  what: string,
  open: (session: SessionPage) => Promise<void>,
  shown: (page: Page) => Locator,
][] = [
  ["the graph", (session) => session.press("g"), (page) => page.locator("[data-graph]")],
  ["the changes", (session) => session.press("D"), (page) => page.getByRole("region", { name: "Changes" })],
  [
    "the inspector",
    (session) => session.press("i"),
    (page) => page.getByRole("region", { name: "Inspector" }),
  ],
  ["the files", (session) => session.press("F"), (page) => page.getByRole("region", { name: "Files" })],
  [
    "an agent",
    (session) => session.page.getByRole("button", { name: "Open Explore code beside" }).first().click(),
    (page) => page.getByRole("region", { name: "Agent Explore code" }),
  ],
];

test("Back closes what was opened last, one by one, and a reload changes nothing of that", async ({
  page,
}) => {
  const session = await openSession(page);
  const { href } = new URL(page.url());
  for (const [what, open, shown] of OPENED.slice(2)) {
    await open(session);
    await expect(shown(page), what).toBeVisible();
  }
  await page.reload();
  for (const [what, , shown] of OPENED.slice(2).toReversed()) {
    await expect(shown(page), what).toBeVisible();
    await page.goBack();
    await expect(shown(page), what).toHaveCount(0);
  }
  await expect(page).toHaveURL(href);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
});

test("two steps back in a row close two panes, without the page being loaded anew", async ({ page }) => {
  const session = await openSession(page);
  const panes = OPENED.slice(2);
  for (const [what, open, shown] of panes) {
    await open(session);
    await expect(shown(page), what).toBeVisible();
  }
  await page.reload();
  for (const [what, , shown] of panes) await expect(shown(page), what).toBeVisible();
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.evaluate(async () => {
    history.back();
    await new Promise((resolve) => setTimeout(resolve, 40));
    history.back();
  });
  for (const [what, , shown] of panes.slice(1)) await expect(shown(page), what).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  expect(loads).toBe(0);
});

test("to close what was opened last leaves no entry that Back would seem to do nothing for", async ({
  page,
}) => {
  const session = await openSession(page);
  const entries = await page.evaluate(() => window.history.length);
  for (const [what, open, shown] of OPENED) {
    await open(session);
    await expect(shown(page), what).toBeVisible();
    // How the thread is read is no step, and stays.
    if (what === "the files") await session.press("4");
    await session.press("Escape");
    await expect(shown(page), what).toHaveCount(0);
  }
  await expect(page).toHaveURL(/detail=everything/);
  expect(await page.evaluate(() => window.history.length)).toBe(entries + 1);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
});

test("Back from an agent's own thread, and from another branch, leads to where the reader was", async ({
  page,
}) => {
  const session = await openSession(page);
  await session.scrollTo(0.7);
  const before = eyeOf(await seen(page));
  await page.getByRole("button", { name: "Open Explore code beside" }).first().click();
  await page.getByRole("button", { name: "Open full page" }).click();
  await page.getByRole("button", { name: "Main thread" }).click();
  await expect(page.getByRole("button", { name: "Main thread" })).toHaveCount(0);
  await expectEye(page, before, "back in the main thread");

  await openSession(page, REWOUND);
  const fork = session.rows.filter({ has: page.getByRole("button", { name: "Previous branch" }) }).first();
  await fork.scrollIntoViewIfNeeded();
  const atFork = eyeOf(await seen(page));
  await fork.getByRole("button", { name: "Previous branch" }).click();
  await expect(page).toHaveURL(/branch=/);
  await session.scrollTo(0);
  await seen(page);
  await page.goBack();
  await expect(page).not.toHaveURL(/branch=/);
  await expectEye(page, atFork, "back on the first branch");
});

test("a place that was chosen in the graph is an entry: Back leads to the graph, then to where the reader was", async ({
  page,
}) => {
  const session = await openSession(page);
  await session.scrollTo(0.8);
  const before = eyeOf(await seen(page));
  await session.press("g");
  const graph = page.locator("[data-graph]");
  await expect(graph).toBeVisible();
  await session.press("Home", "ArrowRight", "Enter");
  await expect(graph).toHaveCount(0);
  await page.goBack();
  await expect(graph).toBeVisible();
  await page.goBack();
  await expect(graph).toHaveCount(0);
  await expectEye(page, before, "back from the graph");
});

test("the branch has one number and as many rows in the pager, at the foot and in the graph", async ({
  page,
}) => {
  const session = await openSession(page, REWOUND);
  const foot = page.getByRole("contentinfo");
  await expect(session.rows.filter({ hasText: "2 of 2" })).toHaveCount(1);
  await expect(foot).toContainText("branch 2 of 2");
  await page.getByRole("button", { name: "Previous branch" }).click();
  await expect(session.rows.filter({ hasText: "1 of 2" })).toHaveCount(1);
  await expect(foot).toContainText("branch 1 of 2");
});

test.describe("on a phone", () => {
  const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
  test.use(phone);

  test("Back closes the outline, an agent's sheet, the changes and the graph", async ({ page }) => {
    const session = await openSession(page);
    const bar = page.getByRole("navigation", { name: "Session" });
    await bar.getByRole("button", { name: "Turns" }).click();
    const outline = page.getByRole("complementary", { name: "Outline" });
    await expect(outline).toBeVisible();
    await page.goBack();
    await expect(outline).toBeHidden();
    await session.ready();
    await page.getByRole("button", { name: "Open Explore code beside" }).first().click();
    const agent = page.getByRole("region", { name: "Agent Explore code" });
    await expect(agent).toBeVisible();
    await page.goBack();
    await expect(agent).toHaveCount(0);
    for (const [name, shown] of [
      ["Changes", page.getByRole("region", { name: "Changes" })],
      ["Graph", page.locator("[data-graph]")],
    ] as const) {
      await bar.getByRole("button", { name }).click();
      await expect(shown).toBeVisible();
      await page.goBack();
      await expect(shown).toHaveCount(0);
    }
    await session.ready();
  });
});

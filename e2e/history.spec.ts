import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { expectEye, eyeOf, seen } from "./support/random-reader";
import type { RecordedServer } from "./support/serve-recordings";
import { ask, startServer } from "./support/server";
import { test } from "./support/test";

// What is opened is an entry of the browser's history: Back undoes what was opened last, and nothing else.

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const REWOUND = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

const tabs = (page: Page) => page.getByRole("group", { name: "View" });

async function expectLit(page: Page, name: string): Promise<void> {
  for (const tab of await tabs(page).getByRole("button").all())
    await expect(tab).toHaveAttribute("aria-pressed", String((await tab.textContent()) === name));
}

test("Back while the server is gone keeps the page, and leads where it should once it is there again", async ({
  page,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-back-"));
  let own = await startServer({ dataDir, args: ["--demo"] });
  await page.goto(`${own.url}/usage#t=${own.token}`);
  await page.getByRole("link", { name: "Backscroll" }).click();
  await page.locator('main a[href^="/sessions/"]').first().click();
  const session = new SessionPage(page);
  await session.ready();
  // The router then knows no other page than this one.
  await page.reload();
  await session.ready();
  const { href } = new URL(page.url());
  own.process.kill();
  await expect(page.getByText(/Disconnected since/)).toBeVisible();
  for (const steps of [1, 2]) {
    await page.evaluate(async (times) => {
      for (let step = 0; step < times; step++) {
        window.history.back();
        await new Promise((stepped) => window.addEventListener("popstate", stepped, { once: true }));
      }
    }, steps);
    await expect(
      page
        .getByRole("status")
        .getByText(/Backscroll does not answer/)
        .nth(steps - 1),
    ).toBeVisible();
    await expect(page).toHaveURL(href);
    await session.ready();
  }
  own = await startServer({ dataDir, args: ["--demo", "--port", new URL(own.url).port] });
  await expect(page.getByText(/Disconnected since/)).toHaveCount(0);
  await page.evaluate(() => window.history.back());
  await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
  await own.stop();
  rmSync(dataDir, { recursive: true, force: true });
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

/** Forward from the library to the session that was opened from it. */
async function returnTo(session: SessionPage): Promise<void> {
  await session.page.goForward();
  await session.ready();
}

test("what is opened from the library and closed again leaves the history as it was, one by one, two in a row, and after a reload", async ({
  page,
}) => {
  const session = await SessionPage.openFromLibrary(page, server, AGENTS);

  await test.step("to close what was opened last leaves no entry that Back would seem to do nothing for", async () => {
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

  await returnTo(session);
  await test.step("Back closes what was opened last, one by one or two in a row, and a reload changes nothing of that", async () => {
    const { href } = new URL(page.url());
    for (const [what, open, shown] of OPENED.slice(2)) {
      await open(session);
      await expect(shown(page), what).toBeVisible();
    }
    await page.reload();
    for (const [what, , shown] of OPENED.slice(2)) await expect(shown(page), what).toBeVisible();
    // Two steps in a row close two of them, without the page being loaded anew.
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.evaluate(async () => {
      history.back();
      await new Promise((resolve) => setTimeout(resolve, 40));
      history.back();
    });
    for (const [what, , shown] of OPENED.slice(3)) await expect(shown(page), what).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
    expect(loads).toBe(0);
    await page.evaluate(() => history.go(2));
    for (const [what, , shown] of OPENED.slice(2).toReversed()) {
      await expect(shown(page), what).toBeVisible();
      await page.goBack();
      await expect(shown(page), what).toHaveCount(0);
    }
    await expect(page).toHaveURL(href);
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/`);
  });

  await returnTo(session);
  await test.step("Back from a hit of the palette in the same session leads to where the reader was", async () => {
    await session.scrollTo(0.9);
    const before = eyeOf(await seen(page));
    // The place is kept when the reader has come to rest.
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem("backscroll.places") ?? ""))
      .toContain(before.recordId);
    await page.keyboard.press("ControlOrMeta+k");
    const palette = page.getByRole("dialog", { name: "Go to or search" });
    await palette.getByRole("combobox").fill("explore");
    await palette.getByRole("group", { name: "In this session" }).getByRole("option").first().click();
    await expect(page).toHaveURL(/at=/);
    await session.ready();
    await page.goBack();
    await expect(page).not.toHaveURL(/at=/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectEye(page, before, "back from the hit");
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/`);
  });
});

test("Back leads from the graph, an agent's own thread and each view to where the reader was", async ({
  page,
}) => {
  const session = await SessionPage.open(page, server, AGENTS);

  await test.step("a place that was chosen in the graph is an entry: Back leads to the graph, then to where the reader was", async () => {
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

  await test.step("the way back from an agent's own thread leads to where it was opened", async () => {
    await session.scrollTo(0.7);
    const before = eyeOf(await seen(page));
    await page.getByRole("button", { name: "Open Explore code beside" }).first().click();
    await page.getByRole("button", { name: "Open full page" }).click();
    await page.getByRole("button", { name: "Main thread" }).click();
    await expect(page.getByRole("button", { name: "Main thread" })).toHaveCount(0);
    await expectEye(page, before, "back in the main thread");
  });

  await test.step("thread, graph, waterfall, changes and context are tabs, each lit where it is shown, and each in the history", async () => {
    const changes = page.getByRole("region", { name: "Changes" });
    const graph = page.locator("[data-graph]");
    await expect(tabs(page).getByRole("button")).toHaveText([
      "Thread",
      "Graph",
      "Waterfall",
      "Changes",
      "Context",
    ]);
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
    await tabs(page).getByRole("button", { name: "Context" }).click();
    await expect(page.getByRole("region", { name: "Context over time" })).toBeVisible();
    await expect(changes).toHaveCount(0);
    await expectLit(page, "Context");
    await tabs(page).getByRole("button", { name: "Thread" }).click();
    await expectLit(page, "Thread");
    await page.goBack();
    await expectLit(page, "Context");
    await page.goBack();
    await expect(changes).toBeVisible();
  });
});

test("Back from another branch leads to where the reader was; a hit on one is gone to, and the page around tells of it", async ({
  page,
}) => {
  // The same words were sent again on the branch that the session went on with.
  const session = await SessionPage.open(page, server, `${REWOUND}?q=edit-file%20in:prompt`);

  await test.step("Back from another branch", async () => {
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

  await test.step("a hit on a branch that was left", async () => {
    await expect(page.getByRole("status").filter({ hasText: /^2$/ })).toBeVisible();
    await session.thread.focus();
    await session.press("n");
    await expect(page).toHaveURL(/branch=/);
    await expect(page.getByText("branch 1 of 2")).toBeVisible();
    await session.press("n");
    await expect(page).not.toHaveURL(/branch=/);
    await expect(page.getByText("branch 2 of 2")).toBeVisible();

    // It has one number in the pager and at the foot.
    const foot = page.getByRole("contentinfo");
    await expect(session.rows.filter({ hasText: "2 of 2" })).toHaveCount(1);
    await expect(foot).toContainText("branch 2 of 2");
    await page.getByRole("button", { name: "Previous branch" }).click();
    await expect(session.rows.filter({ hasText: "1 of 2" })).toHaveCount(1);
    await expect(foot).toContainText("branch 1 of 2");
  });
});

test("Back from a link that names a record alone, of an agent or of a branch that was left, leads to where it was followed", async ({
  page,
}) => {
  type Rows = { rows: { recordId: string }[] };
  const { agents } = await ask<{ agents: { agentId: string }[] }>(server, `sessions/${AGENTS}/agents`);
  const { branches } = await ask<{ branches: { id: string; active: boolean }[] }>(
    server,
    `sessions/${REWOUND}/branches`,
  );
  const left = branches.find(({ active }) => !active)?.id;
  const session = new SessionPage(page);
  const library = page.getByRole("searchbox", { name: /^Filter/ });
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(library).toBeVisible();
  for (const [id, way, named] of [
    [AGENTS, `agent=${agents[0]?.agentId}`, /agent=/],
    [REWOUND, `branch=${left}`, /branch=/],
  ] as const) {
    const { rows } = await ask<Rows>(server, `sessions/${id}/rows?${way}&detail=tools&from=0&count=200`);
    const record = rows.at(-1)?.recordId ?? "";
    await page.goto(`${server.url}/sessions/${id}?at=${record}`);
    await expect(page).toHaveURL(named);
    await expect(session.row(record)).toBeVisible();
    await page.goBack();
    await expect(library).toBeVisible();
  }
});

test("Back from a row to the file beside an agent's thread leaves that as it was read", async ({
  page,
  samples,
}) => {
  const [id, agent, at] = ["74c3ddfa-b2e4-4739-b11f-ae4eab43e618", "aed73f4fbfd33c1f7", "96c3b678~0"];
  const session = await SessionPage.open(page, samples, `${id}?at=${at}.0&agent=${agent}&q=order`);
  await session.press("D");
  await page.getByRole("button", { name: "Versions" }).first().click();
  await expect(page.getByRole("region", { name: "The file" }).getByText(/^first seen/)).toBeVisible();
  await session.press("j");
  await expect(page).toHaveURL(/line=1/);
  // Where the query is looked for in a view that hides the place, all is shown: so each place is asked for in its thread.
  const askedFor = (record: string) =>
    page.waitForResponse((response) => new RegExp(`around=${record}.*count=1$`).test(response.url()));
  // To the row that wrote the line, in the session's own thread.
  const there = askedFor("m%7E9mzz");
  await session.press("o");
  await there;
  await expect(page).not.toHaveURL(/agent=/);
  const asked = askedFor("96c3b678");
  await page.goBack();
  expect((await asked).url()).toContain(`agent=${agent}`);
  await session.press("Escape", "Escape");
  await expect(page.getByRole("button", { name: "Tools", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page).not.toHaveURL(/detail=/);
});

test("another order of the library begins at its top, and Back from a session leads to where its list was", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 360 });
  await page.goto(`${server.url}/#t=${server.token}`);
  const table = page.getByRole("table", { name: "Sessions" });
  const list = table.locator("> [role=presentation]");
  const top = () => list.evaluate(({ scrollTop }) => scrollTop);
  const scroll = async () => {
    await list.evaluate((element) => element.scrollTo(0, 240));
    await expect.poll(top).toBe(240);
  };
  await expect(table.getByRole("link").nth(12)).toBeAttached();
  await scroll();
  await table.getByRole("columnheader", { name: "Session", exact: true }).getByRole("button").click();
  await expect(page).toHaveURL(/sort=title/);
  await expect.poll(top).toBe(0);
  await scroll();
  // Whichever is in view, to scroll to one would be to go on; at its times, as a title has its buttons beside it.
  const box = await list.boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 60, (box?.y ?? 0) + 100);
  await expect(page).toHaveURL(/\/sessions\//);
  await expect(tabs(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/sort=title/);
  await expect.poll(top).toBe(240);
});

import { type Browser, expect, type Page } from "@playwright/test";
import type { LogWriter } from "@/lib/testing/log-writer";
import type { SessionsResponse } from "@/lib/wire/library";
import type { CreatedShare } from "@/lib/wire/shares";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { type LiveFolder, liveFolder, newLiveSession, openLive } from "./support/live-folder";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const HOSTILE = '<img src=x onerror="window.hit=1">\u202E"';

let folder: LiveFolder;
let server: TestServer;
/** Each test has a session of its own. */
let sessionId: string;
let writer: LogWriter;

test.beforeAll(async () => {
  folder = liveFolder();
  server = await startServer({ claudeDirs: [folder.dir] });
});
test.afterAll(async () => {
  await server.stop();
  folder.remove();
});
test.beforeEach(async () => {
  ({ id: sessionId, writer } = await newLiveSession(folder, server));
});
test.afterEach(async ({ browser }) => {
  // Playwright closes its own page alone.
  for (const context of browser.contexts()) await context.close();
});

function share(more: object = {}): Promise<CreatedShare> {
  const body = { sessionId, place: "?detail=tools", ...more };
  return ask(server, "shares", { method: "POST", body });
}

async function openGuest(browser: Browser, { path, token }: CreatedShare, width = 1200) {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  const problems = await watchPolicy(page);
  await page.goto(`${server.url}${path}#t=${token}`);
  const session = new SessionPage(page);
  await session.ready();
  return { page, session, problems };
}

/** Told with the test's result: a figure, not a limit. */
function note(what: string, tookMs: readonly number[]): void {
  const description = tookMs.map((ms) => `${ms} ms`).join(", ");
  test.info().annotations.push({ type: what, description });
}

async function expectNoBarriers(page: Page, within?: string): Promise<void> {
  expect(await seriousViolationsIn(page, within)).toEqual([]);
}

const pane = (page: Page) => page.getByRole("region", { name: "Comments" });
const bar = (page: Page, name: "Presenting" | "Following") => page.getByRole("region", { name });
const rowOf = (session: SessionPage, text: string) => session.rows.filter({ hasText: text }).first();
/** Waits until the row at the upper edge stands in the other's window as it does here, give or take a line. */
async function expectSamePlace(one: SessionPage, other: SessionPage): Promise<void> {
  const place = (session: SessionPage) =>
    session.thread.evaluate((main) => {
      const { top } = main.getBoundingClientRect();
      const rows = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")];
      const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1);
      const box = first?.getBoundingClientRect();
      return { id: first?.textContent?.slice(0, 60), above: Math.round((top - (box?.top ?? 0)) / 4) };
    });
  await expect
    .poll(async () => {
      const [here, there] = [await place(one), await place(other)];
      return here.id === there.id && Math.abs(here.above - there.above) <= 1 ? "same" : { here, there };
    })
    .toBe("same");
}

test("the owner presents a running session: two guests and another window of the owner follow, a guest of another session does not", async ({
  page,
  browser,
}) => {
  const problems = await watchPolicy(page);
  const session = await openLive(page, server, "", sessionId);
  const link = await share({ comments: true });
  const [first, second] = [await openGuest(browser, link), await openGuest(browser, link, 900)];
  const own = await openLive(await page.context().newPage(), server, "", sessionId);
  const { sessions } = await ask<SessionsResponse>(server, "sessions");
  const other = sessions.find(({ id }) => id !== sessionId)?.id ?? "";
  const stranger = await openGuest(browser, await share({ sessionId: other }));

  await session.press("P");
  await expect(bar(page, "Presenting")).toContainText("3 follow: ");
  await expect(bar(page, "Presenting")).toContainText("guest 1");
  await expect(bar(page, "Presenting")).toContainText("guest 2");
  await expect(bar(page, "Presenting")).toContainText("another window of yours");
  await expect(bar(first.page, "Following")).toContainText("the person who shared this");
  await expect(bar(own.page, "Following")).toContainText("your other window");
  // A guest of another session hears nothing of it.
  await expect(bar(stranger.page, "Following")).toHaveCount(0);
  await stranger.page.context().close();
  await expectNoBarriers(page);
  await expectNoBarriers(first.page);

  // A place, what is selected and what is open there; not the focus.
  await session.scrollTo(0.4);
  for (const one of [first.session, second.session, own]) await expectSamePlace(session, one);
  const row = rowOf(session, "Turn 4, line 5");
  await row.click();
  await expect(rowOf(first.session, "Turn 4, line 5")).toHaveAttribute("tabindex", "0");
  await session.press("i");
  await expect(first.page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await session.press("i");
  await expect(first.page.getByRole("region", { name: "Inspector" })).toHaveCount(0);
  await session.press("2");
  await expect(first.page.getByRole("button", { name: "Conversation", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await session.press("3");
  await session.press("g");
  await expect(second.page.getByRole("tree", { name: "Graph of the session" })).toBeVisible();
  await session.press("g");
  for (const one of [page, second.page])
    await expect(one.getByRole("tree", { name: "Graph of the session" })).toHaveCount(0);

  // At its end they all see what is written.
  await session.press("G");
  for (const one of [session, first.session, second.session, own])
    await expect(rowOf(one, "Turn 8, line 12")).toBeInViewport();
  writer.say("Written while all look at it");
  for (const one of [session, first.session, second.session, own])
    await expect(one.thread.getByText("Written while all look at it")).toBeInViewport();

  // One leaves by scrolling, stays where they are, and is back with a key.
  await first.page.mouse.move(500, 400);
  await first.page.mouse.wheel(0, -1500);
  await expect(bar(first.page, "Following")).toContainText("you stopped following");
  await expect(bar(page, "Presenting")).toContainText("2 follow: ");
  await session.scrollTo(0.1);
  await expectSamePlace(session, second.session);
  await expect(rowOf(first.session, "Prompt 1")).not.toBeInViewport();
  await first.page.keyboard.press("r");
  await expectSamePlace(session, first.session);
  await expect(bar(page, "Presenting")).toContainText("3 follow: ");

  // What a guest calls themselves is text, and never stands without what they are.
  await first.page.getByRole("button", { name: "Say who you are" }).click();
  await first.page.getByRole("textbox", { name: "Your name" }).fill(HOSTILE);
  await first.page.keyboard.press("Enter");
  await expect(bar(page, "Presenting")).toContainText('<img src=x onerror="window.hit=1">');
  await expect(bar(page, "Presenting")).toContainText(/\(guest [12]\)/);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);

  // A comment of one is there for the others, in the margin of its row and in the list.
  await session.scrollTo(0.5);
  await expectSamePlace(session, first.session);
  for (const one of [page, second.page]) await one.keyboard.press("A");
  await expect(pane(page).getByText("No comments yet")).toBeVisible();
  await expect(pane(second.page).getByText("No comments yet")).toBeVisible();
  await rowOf(first.session, "Turn 5, line 3").click();
  await first.page.keyboard.press("a");
  await pane(first.page).getByRole("textbox", { name: "Comment" }).fill(HOSTILE);
  const saidAtMs = performance.now();
  await pane(first.page).getByRole("button", { name: "Comment", exact: true }).click();
  const shown = [page, second.page].map(async (one) => {
    await expect(pane(one).getByText('<img src=x onerror="window.hit=1">').last()).toBeVisible();
    await expect(pane(one).getByText("Turn 5, line 3")).toBeVisible();
    return Math.round(performance.now() - saidAtMs);
  });
  note("a guest's comment is with the others", await Promise.all(shown));
  await expect(pane(page).getByText("guest", { exact: true })).toBeVisible();
  // The page around it has been looked at above.
  await expectNoBarriers(page, '[aria-label="Comments"]');
  await pane(page).getByRole("button", { name: "Reply" }).click();
  await pane(page).getByRole("textbox", { name: "Reply" }).fill("Because of the tests");
  await pane(page).getByRole("button", { name: "Reply", exact: true }).click();
  await expect(pane(first.page).getByText("Because of the tests")).toBeVisible();
  await expect(pane(first.page).getByText("Who shared this")).toBeVisible();
  await expect(pane(first.page).getByRole("button", { name: "Resolve" })).toHaveCount(0);
  await expectNoBarriers(first.page, '[aria-label="Comments"]');
  for (const one of [page, first.page]) expect(await one.evaluate(() => "hit" in window)).toBe(false);
  await first.page.keyboard.press("r");
  await expectSamePlace(session, first.session);

  // Whoever comes late begins where the owner is.
  const late = await openGuest(browser, link);
  await expectSamePlace(session, late.session);

  // It ends for all, and begins again.
  await page.getByRole("button", { name: "Stop presenting" }).click();
  for (const one of [first, second, own, late]) await expect(bar(one.page, "Following")).toHaveCount(0);
  await expect(bar(page, "Presenting")).toHaveCount(0);
  await session.press("P");
  await expect(bar(page, "Presenting")).toContainText("4 follow: ");

  const guestProblems = [first, second, late, stranger].flatMap(({ problems: found }) => found);
  // Who says that they follow while their stream begins anew is told so, and says it again on the next one.
  expect(guestProblems.filter((problem) => !problem.includes("status of 409"))).toEqual([]);

  // The link is taken back: all with it are out.
  const startedAtMs = performance.now();
  await ask(server, `shares/${link.id}`, { method: "DELETE" });
  const out = [first, second, late].map(({ page: one }) =>
    expect(one.getByText("This link has ended")).toBeVisible(),
  );
  await Promise.all(out);
  await expect(first.page).toHaveTitle("This link has ended · Backscroll");
  note("all out after their link is taken back", [Math.round(performance.now() - startedAtMs)]);
  await expect(bar(page, "Presenting")).toContainText("1 follows: another window of yours");

  // As by a reader, so that it can say goodbye.
  const closedAtMs = performance.now();
  await page.close({ runBeforeUnload: true });
  await expect(own.page.getByText("The presenter has left")).toBeVisible();
  note("who follows is told that the presenter's tab was closed", [
    Math.round(performance.now() - closedAtMs),
  ]);
  await expect(bar(own.page, "Following")).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("a presentation goes on when its page is reloaded: at the same place, with the same guests", async ({
  page,
  browser,
}) => {
  for (const name of ["one.ts", "two.ts"]) {
    const filePath = `/home/dev/bench/${name}`;
    const content = Array.from({ length: 100 }, (_, at) => `const value${at} = ${at};`).join("\n");
    const done = { type: "create", filePath, content, structuredPatch: [] };
    writer.result(writer.call("Write", { file_path: filePath, content }), "done", { toolUseResult: done });
  }
  const session = await openLive(page, server, "", sessionId);
  const guest = await openGuest(browser, await share());
  await session.press("P");
  await expect(bar(page, "Presenting")).toContainText("1 follows: guest 1");
  await session.press("i");
  await expect(guest.page.getByRole("region", { name: "Inspector" })).toBeVisible();
  const { search } = new URL(page.url());

  await page.reload();
  await session.ready();
  await expect(bar(page, "Presenting")).toContainText("1 follows: guest 1");
  expect(new URL(page.url()).search).toBe(search);
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await session.scrollTo(0.4);
  await expectSamePlace(session, guest.session);
  await expect(bar(guest.page, "Following")).toContainText("the person who shared this");

  // Nor does it end for good when its tab goes to another page and comes back, by a link and over another session.
  await page.getByRole("link", { name: "Library" }).first().click();
  await expect(page.getByRole("status").getByText(/Not presenting meanwhile/)).toBeVisible();
  await expect(guest.page.getByText("The presenter has left")).toBeVisible();
  await expect(bar(guest.page, "Following")).toHaveCount(0);
  await page.locator(`main a[href^="/sessions/"]:not([href*="${sessionId}"])`).first().click();
  await session.ready();
  await expect(bar(page, "Presenting")).toHaveCount(0);
  await page.goBack();
  await page.locator(`main a[href*="${sessionId}"]`).first().click();
  await session.ready();
  await expect(bar(page, "Presenting")).toContainText("1 follows: guest 1");
  await session.scrollTo(0.2);
  await expectSamePlace(session, guest.session);

  // Within what is shown in the thread's place they are where the owner is too, by what stands at its upper edge.
  const shown = (one: Page, name: string) => one.getByRole("region", { name, exact: true });
  const lineAtEdge = (one: Page) =>
    shown(one, "The file").evaluate((box) => {
      const { top } = box.getBoundingClientRect();
      const lines = [...box.querySelectorAll<HTMLElement>("[data-line]")];
      return lines.find((line) => line.getBoundingClientRect().bottom > top + 1)?.dataset.line;
    });
  await session.press("D");
  const file = (one: Page, name: string) => shown(one, "Changes").getByRole("article", { name });
  const abovePx = (one: Page) =>
    file(one, "two.ts").evaluate((article) => {
      const top = article.parentElement?.getBoundingClientRect().top ?? 0;
      return top - article.getBoundingClientRect().top;
    });
  await expect(file(guest.page, "two.ts")).not.toBeInViewport();
  await file(page, "two.ts").evaluate((article) => article.scrollIntoView());
  await file(page, "two.ts").locator("[data-change]").hover();
  await page.mouse.wheel(0, 600);
  await expect(file(page, "one.ts")).not.toBeInViewport();
  await expect
    .poll(async () => Math.abs((await abovePx(guest.page)) - (await abovePx(page))))
    .toBeLessThan(4);
  await file(page, "two.ts").getByRole("button", { name: "Versions" }).click();
  await expect(shown(guest.page, "The file")).toBeVisible();
  await shown(page, "The file").evaluate((box) => box.scrollTo(0, 1_000));
  await expect.poll(() => lineAtEdge(guest.page)).toBe("51");
  // Back leads a guest to what they saw before they followed, and they stay there.
  await guest.page.goBack();
  await expect(bar(guest.page, "Following")).toContainText("you stopped following");
  await expect(shown(guest.page, "The file")).toHaveCount(0);
  await expect(rowOf(guest.session, "Prompt 1")).toBeInViewport();
  await guest.page.keyboard.press("r");
  await expect.poll(() => lineAtEdge(guest.page)).toBe("51");

  // What was ended before is not taken up by a reload.
  await session.press("P");
  await expect(bar(guest.page, "Following")).toHaveCount(0);
  await page.reload();
  await session.ready();
  await expect(bar(page, "Presenting")).toHaveCount(0);
});

import { expect, type Locator, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { LONG_SESSION, LongLog } from "./support/long-log";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

let log: LongLog;
let server: TestServer;
/** Releases the responses that need the whole log. */
let endReading: () => void;
/** What every request for rows is answered with, once they are released. */
let fault: string | null;

test.beforeEach(() => {
  fault = null;
  log = new LongLog();
});
test.afterEach(async () => {
  await server.stop();
  log.remove();
});

test("a session that was never read shows its beginning at once, and continues below it", async ({
  page,
}) => {
  log.prompt("Begin here");
  for (let n = 1; n <= 40; n++) log.say(`Answer ${n}`);
  log.fill();
  log.say("Behind what is filled");
  log.prompt("End here");
  const session = await openHeld(page);
  const main = session.thread;
  await expect(main.getByRole("heading", { name: "Begin here" })).toBeVisible();
  const status = page.getByRole("status").filter({ hasText: "Reading the rest" });
  await expect(status).toBeVisible();
  // What it is called, the library knows.
  await expect(page.getByRole("heading", { level: 1, name: "Begin here" })).toBeVisible();
  await expect(page).toHaveTitle("Begin here · Backscroll");
  await expect(page.getByText(/^row \d+ of/)).toHaveCount(0);
  // The turn's totals are not known yet, because the log goes on.
  await expect(main.getByText(/\d tok/)).toHaveCount(0);
  await session.rows.filter({ hasText: /Answer 2$/ }).click();
  await session.press("j", "j");
  await main.evaluate((list) => list.scrollBy(0, 400));
  const read = session.rows.filter({ hasText: /Answer 24$/ });
  const before = await topOf(read);
  const focused = await session.focusedRow();
  expect(focused).not.toBeNull();
  const element = await read.elementHandle();

  endReading();
  await expect(status).toHaveCount(0);
  await expect(page.getByText(/^row \d+ of 44$/)).toBeVisible();
  expect(await topOf(read)).toBe(before);
  expect(await session.focusedRow()).toBe(focused);
  // The same element: the list was not rebuilt while it was being read.
  expect(await element?.evaluate((row) => row.isConnected)).toBe(true);
  await expect(page.getByRole("button", { name: /\d new$/ })).toHaveCount(0);
  await session.scrollTo(1);
  await expect(main.getByRole("heading", { name: "End here" })).toBeVisible();
});

test("keys that lead behind the beginning wait for the rest, and say so", async ({ page }) => {
  log.prompt("Begin here");
  for (let n = 1; n <= 40; n++) log.say(`Answer ${n}`);
  log.fill();
  log.say("Behind what is filled");
  log.prompt("End here");
  log.say("The last answer");
  const session = await openHeld(page);
  await expect(session.rows.first()).toBeVisible();
  await session.press("G");
  const status = page.getByRole("status").filter({ hasText: "Reading the rest to go there" });
  await expect(status).toBeVisible();
  await expect(session.rows.first()).toBeInViewport();

  endReading();
  const last = session.rows.filter({ hasText: "The last answer" });
  await expect(last).toBeInViewport();
  await expect(last).toBeFocused();
  await expect(status).toHaveCount(0);
});

test("a rest that cannot be read is told over the beginning, and asked for again", async ({ page }) => {
  log.prompt("Begin here");
  log.say("All of the beginning");
  log.fill();
  log.say("Behind what is filled");
  const session = await openHeld(page);
  await expect(session.rows.filter({ hasText: "All of the beginning" })).toBeVisible();
  fault = "The disk is on fire";
  endReading();
  await expect(page.getByText("Couldn’t load rows: The disk is on fire")).toBeVisible();
  await expect(session.rows.filter({ hasText: "All of the beginning" })).toBeVisible();
  fault = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(session.rows.filter({ hasText: "Behind what is filled" })).toHaveCount(1);
  await expect(page.getByText("Couldn’t load rows")).toHaveCount(0);
});

test("the rows being read stay in place when a fork is discovered above them", async ({ page }) => {
  log.prompt("Begin here");
  const forked = log.say("Answer 1");
  for (let n = 2; n <= 60; n++) log.say(`Answer ${n}`);
  const last = log.fill();
  log.goBackTo(forked);
  log.prompt("Another way");
  log.say("Which is left again");
  log.goBackTo(last);
  log.prompt("End here");
  const session = await openHeld(page);
  await expect(session.rows.first()).toBeVisible();
  await session.thread.evaluate((list) => list.scrollBy(0, 500));
  const read = session.rows.filter({ hasText: /Answer 26$/ });
  const before = await topOf(read);

  endReading();
  await expect(page.getByText(/^row \d+ of 64$/)).toBeVisible();
  await expect.poll(() => topOf(read)).toBeCloseTo(before, 0);
  await session.scrollTo(0);
  await expect(session.thread.getByText("Another way")).toBeVisible();
});

test("a session that continued from an earlier prompt shows that branch, whatever its beginning showed", async ({
  page,
}) => {
  const first = log.prompt("Begin here");
  for (let n = 1; n <= 60; n++) log.say(`Answer ${n}`);
  log.fill();
  log.goBackTo(first);
  log.say("Answered otherwise");
  const session = await openHeld(page);
  await expect(session.rows.filter({ hasText: /Answer 3$/ })).toBeVisible();
  await session.thread.evaluate((list) => list.scrollBy(0, 500));

  endReading();
  await expect(page.getByText("The session was continued from an earlier prompt")).toBeVisible();
  await expect(session.rows.filter({ hasText: "Answered otherwise" })).toBeVisible();
  await expect(session.rows.filter({ hasText: /Answer 3$/ })).toHaveCount(0);
});

test("a session that is being written does not jump to its end once it has been read", async ({ page }) => {
  log.prompt("Begin here");
  log.say("All of the beginning is in view");
  log.fill();
  for (let n = 1; n <= 60; n++) log.say(`Answer ${n}`);
  const session = await openHeld(page, "", /\/rows\?/);
  // The session's state, that it is being written, is known first, with what else it says of itself.
  await expect(page.getByRole("button", { name: "Star this session" })).toBeVisible();
  await expect(session.rows).toHaveCount(2);
  await expect(page.getByText("Following")).toHaveCount(0);

  endReading();
  await expect(page.getByText("row 1 of 63")).toBeVisible();
  await expect(session.rows.filter({ hasText: "All of the beginning is in view" })).toBeInViewport();
});

test("a link into a session that was never read waits for it", async ({ page }) => {
  log.prompt("Begin here");
  log.fill();
  log.say("Linked to");
  const session = await openHeld(page, "?at=m~0");
  await expect(page.getByLabel("Loading the thread")).toBeVisible();
  endReading();
  await expect(session.rows.filter({ hasText: "Linked to" })).toBeVisible();
});

/**
 * Opens the log's session, holding back every response that matches `asked` and needs more than the log's beginning,
 * until `endReading` is called.
 */
async function openHeld(page: Page, query = "", asked = /\/api\/sessions\//): Promise<SessionPage> {
  log.save();
  server = await startServer({ claudeDirs: [log.dir] });
  const held = new Promise<void>((resolve) => {
    endReading = resolve;
  });
  // Whatever else the page asks for has the log read, which may be done before its beginning is asked for.
  let isBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    isBegun = resolve;
  });
  await page.route(/\/api\/(sessions\/|events)/, async (route) => {
    const url = route.request().url();
    if (url.includes("beginning=1")) {
      await route.fulfill({ response: await route.fetch() });
      return isBegun();
    }
    // A link to a place in it asks for no beginning.
    if (query === "") await begun;
    if (asked.test(url)) await held;
    if (fault === null || !url.includes("/rows?")) return route.continue();
    return route.fulfill({ status: 500, json: { error: { code: "internal", message: fault } } });
  });
  await page.goto(`${server.url}/sessions/${LONG_SESSION}${query}#t=${server.token}`);
  return new SessionPage(page);
}

async function topOf(row: Locator): Promise<number> {
  await expect(row).toBeVisible();
  return row.evaluate((element) => Math.round(element.getBoundingClientRect().top));
}

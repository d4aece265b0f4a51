import { expect, type Page, type Route } from "@playwright/test";
import type { CreatedShare } from "@/lib/wire/shares";
import { SAMPLES } from "./pictures/samples";
import { LONG_SESSION, LongLog } from "./support/long-log";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";
import { watchRequests } from "./support/watch-requests";

/** "Charged twice", the longest of the sample sessions. */
const SAMPLE = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** A session in which nothing was typed. */
let log: LongLog;
let server: TestServer;
test.beforeAll(async () => {
  log = new LongLog();
  log.say("Nobody asked");
  log.save();
  server = await startServer({ claudeDirs: [SAMPLES, log.dir] });
});
test.afterAll(async () => {
  await server.stop();
  log.remove();
});

/** A thread that is on its way is none yet, but the way past the bars leads there. */
const MAIN = ":is(main, [data-main]):not([inert] *)";

/** How many main parts the page has, and whether the way past its bars, where it has one, leads there. */
async function landmarksOf(page: Page): Promise<{ mains: number; isSkippedTo: boolean }> {
  // A view of a session stands over its thread, which is inert then.
  const mains = await page.locator(MAIN).count();
  const skip = page.getByRole("button", { name: "Skip to content" });
  if ((await skip.count()) === 0) return { mains, isSkippedTo: true };
  await skip.press("Enter");
  return { mains, isSkippedTo: await page.locator(`${MAIN}:focus`).isVisible() };
}

test("every page, and what stands in its place, has one main part, to which the way past its bars leads", async ({
  page,
}) => {
  const allRead = watchRequests(page);
  const expectMain = async (what: string, words = "") => {
    await expect(page.getByText(words).first(), what).toBeAttached();
    await allRead();
    expect.soft(await landmarksOf(page), what).toEqual({ mains: 1, isSkippedTo: true });
    await expect.soft(page.locator("[data-main]"), what).toHaveCount(0);
  };
  const open = async (path: string, words?: string) => {
    await page.goto("about:blank");
    await page.goto(`${server.url}${path}#t=${server.token}`);
    await expectMain(path, words);
  };
  const session = `/sessions/${SAMPLE}`;
  await open("/", "Charged twice");
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("nowhere");
  await expectMain("/?q=nowhere", "No sessions match this filter");

  await open(session, "Turn 1");
  for (const [key, view] of [
    ["g", "graph"],
    ["w", "waterfall"],
    ["D", "changes"],
    ["C", "context"],
    ["=", "compare"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expectMain(view);
  }
  await open(`${session}?agent=nobody`, "Link target not found");
  await open(`/sessions/${NOBODY}`, "Session not found");
  await open(`/sessions/${NOBODY}?view=graph`);
  await open(`/sessions/${LONG_SESSION}?detail=prompts`, "Nothing to show");

  await open("/search", "Search every session");
  for (const query of ["charge", "nowhere is:error"]) {
    await page.getByRole("textbox", { name: "Search every session" }).fill(query);
    await expect(page).toHaveURL(/q=/);
    await expectMain(`/search, ${query}`);
  }
  await open("/now");
  await open("/usage");
  await page.getByRole("button", { name: "Prompts", exact: true }).click();
  await expect(page).toHaveURL(/view=prompts/);
  await expectMain("/usage?view=prompts");
  await open("/prompts");
  await open("/files");
  await open("/files?path=checkout.js");
  await open("/doctor");
  await open("/nowhere", "Page not found");
});

test("a page whose server does not answer, or fails, has its main part too", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByText("Charged twice").first()).toBeVisible();
  const fault = { error: { code: "internal", message: "The disk is gone", hint: "Look at it." } };
  const fail = (route: Route) => route.fulfill({ status: 500, json: fault });
  /** What the page has asked for and has no answer to; `null` where each is answered with the fault. */
  let held: Route[] | null = [];
  await page.route(
    (url) => /^\/api\/(?!health|events|proof)/.test(url.pathname),
    (route) => (held === null ? fail(route) : void held.push(route)),
  );
  const session = `/sessions/${SAMPLE}`;
  for (const path of [
    "/",
    session,
    `${session}?view=graph`,
    "/search?q=charge",
    "/now",
    "/usage",
    "/prompts",
  ]) {
    await page.goto("about:blank");
    const asked: Route[] = [];
    held = asked;
    await page.goto(server.url + path);
    await expect(page.getByRole("button", { name: "Skip to content" })).toBeAttached();
    await expect.poll(() => asked.length, `${path} asks`).toBeGreaterThan(0);
    expect
      .soft(await landmarksOf(page), `${path} without an answer`)
      .toEqual({ mains: 1, isSkippedTo: true });
    held = null;
    await Promise.all(asked.map(fail));
    await expect(page.getByText("The disk is gone").first()).toBeAttached();
    expect.soft(await landmarksOf(page), `${path} with a fault`).toEqual({ mains: 1, isSkippedTo: true });
  }
});

test("what a stranger and a guest see in place of pages is a main part", async ({ page, browser }) => {
  await page.goto(server.url);
  await expect(page.getByRole("heading", { name: "Open Backscroll with its link" })).toBeVisible();
  expect(await landmarksOf(page)).toEqual({ mains: 1, isSkippedTo: true });
  const { id, token, path } = await ask<CreatedShare>(server, "shares", {
    method: "POST",
    body: { sessionId: SAMPLE },
  });
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${server.url}${path}${path.includes("#") ? "&" : "#"}t=${token}`);
  await expect(guest.getByRole("tab", { name: /^Turns/ })).toBeVisible();
  expect(await landmarksOf(guest)).toEqual({ mains: 1, isSkippedTo: true });
  await guest.goto(`${server.url}/usage`);
  await expect(guest.getByText("One session was shared with you")).toBeVisible();
  expect(await landmarksOf(guest)).toEqual({ mains: 1, isSkippedTo: true });
  await ask(server, `shares/${id}`, { method: "DELETE" });
  await guest.reload();
  await expect(guest.getByText("This link has ended")).toBeVisible();
  expect(await landmarksOf(guest)).toEqual({ mains: 1, isSkippedTo: true });
  await context.close();
});

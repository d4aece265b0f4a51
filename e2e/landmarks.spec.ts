import { expect, type Page } from "@playwright/test";
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
  const session = `/sessions/${SAMPLE}`;
  await page.goto(`${server.url}/#t=${server.token}`);
  // The page has its token by then.
  await expect(page.getByText("Charged twice").first()).toBeVisible();
  for (const [path, words] of [
    ["/", "Charged twice"],
    ["/?q=nowhere", "No sessions match this filter"],
    [session, "Turn 1"],
    [`${session}?view=graph`, ""],
    [`${session}?view=waterfall`, ""],
    [`${session}?view=changes`, ""],
    [`${session}?view=context`, ""],
    [`${session}?view=compare`, ""],
    [`${session}?agent=nobody`, "Link target not found"],
    [`/sessions/${NOBODY}`, "Session not found"],
    [`/sessions/${NOBODY}?view=graph`, ""],
    [`/sessions/${LONG_SESSION}?detail=prompts`, "Nothing to show"],
    ["/search", "Search every session"],
    ["/search?q=charge", ""],
    ["/search?q=nowhere%20is:error", ""],
    ["/now", ""],
    ["/usage", ""],
    ["/usage?view=prompts", ""],
    ["/prompts", ""],
    ["/files", ""],
    ["/files?path=checkout.js", ""],
    ["/doctor", ""],
    ["/nowhere", "Page not found"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(server.url + path);
    await expect(page.getByText(words).first()).toBeAttached();
    await allRead();
    expect.soft(await landmarksOf(page), path).toEqual({ mains: 1, isSkippedTo: true });
    await expect.soft(page.locator("[data-main]"), path).toHaveCount(0);
  }
});

test("a page whose server does not answer, or fails, has its main part too", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByText("Charged twice").first()).toBeVisible();
  const fault = { error: { code: "internal", message: "The disk is gone", hint: "Look at it." } };
  for (const answer of ["none", "fault"] as const) {
    await page.route(
      (url) => /^\/api\/(?!health|events|proof)/.test(url.pathname),
      (route) => (answer === "none" ? undefined : route.fulfill({ status: 500, json: fault })),
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
      await page.goto(server.url + path);
      await expect(page.getByRole("button", { name: "Skip to content" })).toBeAttached();
      if (answer === "fault") await expect(page.getByText("The disk is gone").first()).toBeAttached();
      expect.soft(await landmarksOf(page), `${path}, ${answer}`).toEqual({ mains: 1, isSkippedTo: true });
    }
    await page.unrouteAll();
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

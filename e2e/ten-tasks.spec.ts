import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { liveCopy } from "./pictures/live-copy";
import { AT_WORK, findSamples, SAMPLES, type Samples } from "./pictures/samples";
import { copiedBy } from "./support/clipboard";
import { startServer, type TestServer } from "./support/server";
import { Steps } from "./support/steps";
import { test } from "./support/test";

// What somebody who reads ten sessions a day does most, on the sample sessions, and how many clicks or keys it may cost.

let server: TestServer;
let samples: Samples;

test.beforeAll(async ({ samples: shared }) => {
  server = shared;
  samples = await findSamples(server);
});

const address = (query = "") => `${server.url}/sessions/${samples.session}${query}#t=${server.token}`;

async function openSession(page: Page, query = ""): Promise<SessionPage> {
  const session = new SessionPage(page);
  await page.goto(address(query));
  await session.ready();
  return session;
}

test("the fix of last week is found with a key, its words and Enter", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  const steps = new Steps(page);
  await steps.press("ControlOrMeta+k");
  await steps.type("declined card is forgotten");
  const found = page.getByRole("option", { name: /A declined card is forgotten/, selected: true });
  await expect(found).toBeVisible();
  await steps.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/sessions/${samples.session}`));
  await expect(
    page.locator('article[tabindex="0"]', { hasText: "A declined card is forgotten" }),
  ).toBeInViewport();
  steps.expectAtMost(3);
});

test("from an open session errors, agents, changes and an export are a click or two away", async ({
  page,
}) => {
  const session = await openSession(page);

  await test.step("what an agent did, and how long it took, is one click away", async () => {
    const steps = new Steps(page);
    await steps.click(page.getByRole("button", { name: "Open Reproduce the double charge beside" }));
    const pane = page.getByRole("region", { name: "Agent Reproduce the double charge" });
    await expect(pane.getByText(/^Reproduced with/)).toBeVisible();
    await expect(pane.locator("header").first()).toContainText("15 s");
    steps.expectAtMost(1);
    await pane.getByRole("button", { name: /^Close Agent/ }).click();
    await expect(pane).toHaveCount(0);
  });

  await test.step("each error is one key away, with its text", async () => {
    await session.press("g", "g");
    await expect.poll(() => session.focusedRow()).toBe(0);
    for (const words of [/ReferenceError/, /card declined/]) {
      const steps = new Steps(page);
      await steps.press("]");
      await expect(page.locator('article[tabindex="0"]', { hasText: words })).toBeInViewport();
      steps.expectAtMost(1);
    }
  });

  await test.step("an export that a colleague can read is two clicks away", async () => {
    const steps = new Steps(page);
    await steps.click(page.getByRole("button", { name: "Export" }));
    const download = page.waitForEvent("download");
    await steps.click(page.getByRole("button", { name: "Download HTML" }));
    expect((await download).suggestedFilename()).toMatch(/\.html$/);
    steps.expectAtMost(2);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("which files changed, and the net diff of one, are two clicks away", async () => {
    const steps = new Steps(page);
    await steps.click(page.getByRole("group", { name: "View" }).getByText("Changes"));
    const file = page.getByRole("article", { name: "src/checkout.js", exact: true });
    await expect(page.getByRole("article", { name: "src/once.js", exact: true })).toBeVisible();
    await steps.click(file.getByRole("button", { name: "Net diff" }));
    await expect(file.getByText(/^Net of \d+ changes$/)).toBeVisible();
    await expect(file.getByRole("button", { name: "Copy link to this change" })).toHaveCount(0);
    steps.expectAtMost(2);
  });
});

test("a link to a hunk takes two clicks, and opens on it in a fresh browser", async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await openSession(page, `?at=${samples.edit}`);
  const row = session.row(samples.edit);
  const steps = new Steps(page);
  await steps.click(row.getByRole("button", { name: "Open" }).first());
  const copy = row.getByRole("button", { name: "Copy link to hunk 1" });
  const link = await copiedBy(page, () => steps.click(copy));
  steps.expectAtMost(2);

  expect(link).not.toContain(server.token);
  const other = await browser.newContext();
  const fresh = await other.newPage();
  await fresh.goto(link);
  await fresh.getByLabel("Token").fill(server.token);
  await fresh.getByLabel("Token").press("Enter");
  const there = new SessionPage(fresh).row(samples.edit);
  await expect(there.getByRole("button", { name: "Copy link to hunk 1" })).toBeInViewport();
  await other.close();
});

test("the branch that was left, and what was tried on it, is one click away", async ({ page }) => {
  const session = await openSession(page, `?at=${samples.fork}`);
  const left = session.thread.getByRole("button", { name: /share the keys through Redis/ });
  await expect(left).toBeInViewport();
  const steps = new Steps(page);
  await steps.click(left);
  await expect(session.thread.getByText("npm install redis").first()).toBeInViewport();
  await expect(session.thread.getByText("Cannot find package 'redis'").first()).toBeVisible();
  steps.expectAtMost(1);
});

test("a running session is watched without a click", async ({ page }) => {
  const copy = liveCopy(SAMPLES, AT_WORK);
  const live = await startServer({ claudeDirs: [copy.dir] });
  try {
    const session = await SessionPage.open(page, live, samples.session);
    const before = await session.rows.count();
    const steps = new Steps(page);
    await copy.play(6_000);
    await expect.poll(() => session.rows.count()).toBeGreaterThan(before);
    steps.expectAtMost(0);
  } finally {
    await live.stop();
    copy.remove();
  }
});

test("the costliest session of the last days is one click away, from the library and from the running ones", async ({
  page,
}) => {
  await page.clock.setFixedTime(samples.lastActiveAtMs + 3_600_000);
  for (const path of ["/", "/now"]) {
    await page.goto(`${server.url}${path}#t=${server.token}`);
    const steps = new Steps(page);
    await steps.click(page.getByRole("link", { name: "Costliest, last 7 days" }));
    await expect(page.getByRole("columnheader", { name: /^Cost/ })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await expect(
      page
        .getByRole("row")
        .filter({ has: page.locator("a") })
        .first(),
    ).toContainText("Charged twice: order 1042");
    // A week before the others.
    await expect(page.getByText("Orders from 50 € should ship free.")).toHaveCount(0);
    steps.expectAtMost(1);
  }
  await expect(page.getByRole("link", { name: /^All sessions/ })).not.toHaveAttribute("aria-current");
  await page.getByRole("link", { name: /^All sessions/ }).click();
  await expect(page.getByText("Orders from 50 € should ship free.").first()).toBeVisible();
  await expect(page).not.toHaveURL(/since|sort/);
});

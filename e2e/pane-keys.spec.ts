import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { copiedBy } from "./support/clipboard";
import type { TestServer } from "./support/server";
import { test } from "./support/test";

// The keys of rows, and the palette's commands, act on the thread in which the focus is: the session's own, or that of an
// agent beside it.

const SESSION = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
const AGENT = "a5cfdad33010cfc28";

let server: TestServer;

test.beforeAll(({ samples }) => {
  server = samples;
});
test.use({ permissions: ["clipboard-read", "clipboard-write"] });

async function openBoth(page: Page) {
  const session = await SessionPage.open(page, server, `${SESSION}?panes=agent:${AGENT}`);
  const pane = page.getByRole("region", { name: "Thread of Trace a payment" });
  await expect(pane.locator("article[data-record-id]").first()).toBeVisible();
  const selectedIn = (thread: typeof pane) => thread.locator('article[tabindex="0"]');
  return { session, pane, selectedIn };
}

test("keys move, open, copy and comment in the agent's thread while the focus is there, and in the session's own once the pane is closed", async ({
  page,
}) => {
  const { session, pane, selectedIn } = await openBoth(page);
  // The prompt of the session is selected, then that of the agent.
  const prompt = session.rows.first();
  await prompt.click({ position: { x: 200, y: 8 } });
  await expect(selectedIn(session.thread)).toHaveAttribute("aria-posinset", "1");
  await pane.locator('article[aria-posinset="1"]').click({ position: { x: 200, y: 8 } });

  await session.press("j", "j");
  await expect(selectedIn(pane)).toHaveAttribute("aria-posinset", "3");
  await session.press("k");
  await expect(selectedIn(pane)).toHaveAttribute("aria-posinset", "2");
  await expect(selectedIn(session.thread)).toHaveAttribute("aria-posinset", "1");

  const call = selectedIn(pane);
  await session.press("o");
  await expect(call.getByRole("button", { name: "Copy link to this row" }).first()).toBeVisible();
  const record = (await call.getAttribute("data-record-id")) ?? "";
  const link = new URL(await copiedBy(page, () => session.press("y")));
  expect(link.searchParams.get("paneAt")).toBe(`${AGENT}@${record}.0`);
  expect(link.searchParams.get("at")).toBe(`${await prompt.getAttribute("data-record-id")}.0`);
  const text = await copiedBy(page, () => session.press("ControlOrMeta+c"));
  expect(text).not.toContain("Charged twice");
  expect(text).not.toBe("");

  await session.press("c");
  await expect.poll(() => new URL(page.url()).searchParams.get("panes")).toContain(`context:${record}`);
  await session.press("i");
  await expect.poll(() => new URL(page.url()).searchParams.get("panes")).toContain(`record:${record}`);
  await session.press("i");
  await session.press("m");
  await expect(call.getByRole("button", { name: /bookmark/i }).first()).toBeVisible();
  await session.press("m");

  // Nothing of that was done to the session's own thread.
  await expect(prompt.getByRole("button", { name: "Copy link to this row" })).toHaveCount(0);
  // Where the focus goes, the keys go.
  await prompt.click({ position: { x: 200, y: 8 } });
  await session.press("j");
  await expect(selectedIn(session.thread)).toHaveAttribute("aria-posinset", "2");
  await expect(selectedIn(pane)).toHaveAttribute("aria-posinset", "2");

  await test.step("so do the palette's commands, and the session's own thread has them once the pane is closed", async () => {
    await session.rows.first().click({ position: { x: 200, y: 8 } });
    await pane.locator('article[aria-posinset="1"]').click({ position: { x: 200, y: 8 } });
    await session.press("ControlOrMeta+k");
    await page.getByRole("combobox").fill("inspector");
    await page.getByRole("option", { name: /^Inspector/ }).click();
    const record = await selectedIn(pane).getAttribute("data-record-id");
    await expect.poll(() => new URL(page.url()).searchParams.get("panes")).toContain(`record:${record}`);
    // Turns fold in the session's own thread alone: the list of keys has no key for it meanwhile.
    await session.press("?");
    await expect(page.getByRole("dialog").getByText("row down")).toBeVisible();
    await expect(page.getByRole("dialog").getByText("fold the turn", { exact: true })).toHaveCount(0);
    await session.press("Escape");

    await page.getByRole("button", { name: "Close Agent Trace a payment" }).click();
    await expect(pane).toHaveCount(0);
    await session.press("j");
    await expect(selectedIn(session.thread)).toHaveAttribute("aria-posinset", "2");
  });
});

test("the changes of a turn are never those of an agent's own count of turns", async ({ page }) => {
  const session = await SessionPage.open(page, server, `${SESSION}?agent=${AGENT}`);
  await session.rows.nth(1).click({ position: { x: 200, y: 8 } });
  await session.press("d");
  await expect(page.getByRole("heading", { name: "Changes of the session" })).toBeVisible();
});

import { expect } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsIn } from "./support/accessibility";
import type { TestServer } from "./support/server";
import { test } from "./support/test";

/** Of the samples one that commits, quietly, and pushes. */
const SESSION = "c3f8b4e1-bdc5-49f2-8288-56e8f086acd2";

let server: TestServer;
test.beforeAll(({ samples }) => {
  server = samples;
});

test("a session tells its commits, and leads from one to the call that made it", async ({ page }) => {
  const reader = await SessionPage.open(page, server, SESSION);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "About this session" }).click();
  const dialog = page.getByRole("dialog", { name: "About this session" });
  const commit = dialog.getByRole("button", { name: "Weigh in whole grams" });
  await expect(commit).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Copy the git note" })).toBeVisible();
  expect(await seriousViolationsIn(page, '[role="dialog"]')).toEqual([]);
  await commit.click();
  await expect(dialog).toHaveCount(0);
  await expect(reader.thread.locator('article[tabindex="0"]')).toContainText("git commit");
});

test("commit: finds its session in the library", async ({ page, request }) => {
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await request.get(`${server.url}/api/sessions/${SESSION}/commits`, { headers });
  const { commits } = (await answer.json()) as { commits: { hash: string }[] };
  const hash = commits[0]?.hash ?? "";
  expect(hash).toMatch(/^[0-9a-f]{7,40}$/);
  await page.goto(`${server.url}/?q=commit:${hash}#t=${server.token}`);
  const links = page.getByRole("main").locator('a[href*="/sessions/"]');
  await expect(links).toHaveCount(1);
  await expect(links).toHaveAttribute("href", new RegExp(SESSION));
});

import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { type Recording, unpackRecording } from "./support/recorded";
import { startServer, type TestServer } from "./support/server";

/** A terminal session in which files are written and edited (scenario tui-extra). */
const session = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";

let server: TestServer;
let recording: Recording;

type Files = { files: { path: string; recordIds: string[]; blocks: number[] }[] };

test.beforeAll(async () => {
  recording = unpackRecording("2.1.330");
  server = await startServer({ claudeDirs: [recording.claudeDir] });
});
test.afterAll(async () => {
  await server.stop();
  recording[Symbol.dispose]();
});

async function ask<Body>(path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${server.token}` };
  for (;;) {
    const answer = await fetch(`${server.url}/api${path}`, { headers });
    if (answer.status === 200) return (await answer.json()) as Body;
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const link = (path: string) => `${server.url}${path}${path.includes("#") ? "" : `#t=${server.token}`}`;

async function serious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

test("a session is found, read and left with the keyboard alone", async ({ page }) => {
  const problems = await watchPolicy(page);
  await page.goto(link("/"));
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const reader = new SessionPage(page);
  await reader.ready();

  await reader.press("j", "j");
  await expect.poll(() => reader.focusedRow()).not.toBeNull();
  const before = (await reader.focusedRow()) ?? 0;
  await reader.press("o");
  await reader.press("j");
  await expect.poll(() => reader.focusedRow()).toBe(before + 1);
  await reader.press("J", "K", "e");
  await expect.poll(() => page.locator('article button[aria-expanded="true"]').count()).toBeGreaterThan(0);
  await reader.press("4");
  await expect(page).toHaveURL(/detail=everything/);
  await reader.press("i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await reader.press("Escape");
  await expect(page.getByRole("region", { name: "Inspector" })).toHaveCount(0);
  await reader.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await reader.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await reader.press(",");
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await reader.press("Escape");
  // Wherever the reader went, a row holds the focus and shows it.
  await reader.press("j");
  await expect.poll(() => reader.focusedRow()).not.toBeNull();
  expect(problems).toEqual([]);
});

test("a link points at a hunk and at lines of an opened change", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { files } = await ask<Files>(`/sessions/${session}/files`);
  const calls = files.flatMap(({ recordIds, blocks }) =>
    recordIds.map((id, index) => `${id}.${blocks[index]}`),
  );
  let changed = "";
  for (const call of calls) {
    const [id, block] = call.split(/\.(?=\d+$)/);
    const { diffs } = await ask<{ diffs: { change: string; computed: boolean }[] }>(
      `/sessions/${session}/calls/${id}?block=${block}`,
    );
    if (diffs.some(({ change, computed }) => change === "updated" && !computed)) changed ||= call;
  }
  expect(changed).not.toBe("");

  await page.goto(link(`/sessions/${session}?at=${changed}:h1`));
  const hunk = page.locator('[data-hunk="1"][data-marked]');
  await expect(hunk).toBeInViewport();
  await hunk.hover();
  await hunk.getByRole("button", { name: "Copy link to hunk 1" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`at=${changed}:h1`);

  await page.goto(link(`/sessions/${session}?at=${changed}:L1-2`));
  await expect(page.locator("article [data-marked]").first()).toBeInViewport();
  await expect(page.getByText("lines 1–2")).toBeVisible();
  await page.locator('button[title^="Point at this line"]').nth(2).click();
  await page.getByRole("button", { name: "Copy link to these lines" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/:L\d+$/);
});

test("all changes stand on one page", async ({ page }) => {
  const problems = await watchPolicy(page);
  const { files } = await ask<Files>(`/sessions/${session}/files`);
  await page.goto(link(`/sessions/${session}`));
  const reader = new SessionPage(page);
  await reader.ready();
  await reader.press("D");
  await expect(page).toHaveURL(/view=changes/);
  const review = page.getByRole("region", { name: "Changes" });
  await expect(review.locator("article[data-file]")).toHaveCount(files.length);
  await expect(review.getByRole("button", { name: "Copy patch" }).first()).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await reader.press("Escape");
  await expect(review).toHaveCount(0);
  await reader.press("J", "d");
  await expect(page).toHaveURL(/turn=\d/);
  expect(problems).toEqual([]);
});

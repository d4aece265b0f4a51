import { expect } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { copiedBy } from "./support/clipboard";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { ALONE } from "./support/server";
import { test } from "./support/test";

/** A terminal session in which files are written and edited (scenario tui-extra). */
const session = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";
/** A plan was written before a file (scenario tui-plan-keep). */
const PLANNED = "946a12ba-eaf1-4481-9d98-35d1a3bb5a61";

let server: RecordedServer;

type Files = { files: { path: string; recordIds: string[]; blocks: number[] }[] };

test.beforeAll(async () => {
  server = await serveRecordings(["2.1.330", "1.0.128"]);
});
test.afterAll(() => server.stop());

async function ask<Body>(path: string): Promise<Body> {
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  for (;;) {
    const answer = await fetch(`${server.url}/api${path}`, { headers });
    if (answer.status === 200) return (await answer.json()) as Body;
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const link = (path: string) => `${server.url}${path}${path.includes("#") ? "" : `#t=${server.token}`}`;

test("a session is found, read and left with the keyboard alone", async ({ page }) => {
  const problems = await watchPolicy(page);
  await page.goto(link("/"));
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: /^Filter by title/ })).toBeFocused();
  await page.keyboard.type("my-branch");
  await expect(page.locator('a[href*="/sessions/"]')).toHaveCount(1);
  // The URL is updated shortly after the list is filtered.
  await expect(page).toHaveURL(/q=my-branch/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("j");
  const chosen = page.locator('a[href*="/sessions/"]:focus');
  await expect(chosen).toContainText("my-branch");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sessions\//);
  const reader = new SessionPage(page);
  await reader.ready();

  // Each key is pressed only after the effect of the previous one is visible.
  const rowAfter = async (key: string, isThere: (row: number) => boolean) => {
    await reader.press(key);
    await expect
      .poll(async () => isThere((await reader.focusedRow()) ?? Number.NaN), { message: key })
      .toBe(true);
    return (await reader.focusedRow()) ?? 0;
  };
  const first = await rowAfter("j", (row) => row >= 0);
  await rowAfter("j", (row) => row === first + 1);
  const next = await rowAfter("J", (row) => row > first + 1);
  await expect(page.locator("article:focus h2")).toBeVisible();
  const turn = await rowAfter("K", (row) => row < next);
  await expect(page.locator("article:focus h2")).toBeVisible();
  const failed = await rowAfter("]", (row) => row > turn);
  const opened = page.locator('article button[aria-label^="Close "]');
  await reader.press("e");
  await expect.poll(() => opened.count()).toBeGreaterThan(1);
  // It opens in place: the row keeps its position and the focus.
  expect(await reader.focusedRow()).toBe(failed);
  await rowAfter("k", (row) => row === failed - 1);
  await reader.press("4");
  await expect(page).toHaveURL(/detail=everything/);
  await expect(page.locator("article:focus")).toBeVisible();
  await reader.press("i");
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector).toBeVisible();
  await reader.press("Escape");
  await expect(inspector).toHaveCount(0);
  await reader.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await reader.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await reader.press(",");
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  expect(await seriousViolationsIn(page)).toEqual([]);
  await reader.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Wherever the reader went, a row is focused and visibly so.
  await rowAfter("j", (row) => row >= 0);
  expect(problems).toEqual([]);
});

test("a link selects a hunk and lines of an opened change", async ({ page, context }) => {
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
  const ofHunk = hunk.getByRole("button", { name: "Copy link to hunk 1" });
  expect(await copiedBy(page, () => ofHunk.click())).toContain(`at=${changed}:h1`);

  await page.goto(link(`/sessions/${session}?at=${changed}:L1-2`));
  await expect(page.locator("article [data-marked]").first()).toBeInViewport();
  await expect(page.getByText("lines 1–2")).toBeVisible();
  await page.locator('button[title^="Select line"]').nth(2).click();
  const ofLines = page.getByRole("button", { name: "Copy link to these lines" });
  const copied = await copiedBy(page, () => ofLines.click());
  expect(new URL(copied).searchParams.get("at")).toMatch(/:L\d+$/);
});

test("the error count matches the rows that the keys go to, and links lead to the others", async ({
  page,
}) => {
  const reader = new SessionPage(page);
  // The session was rewound: the errors are on the branch that continued.
  const rewound = `${server.url}/sessions/c5797ef5-4f60-4a9f-8ad4-61fc8e9654bb`;
  await page.goto(`${rewound}#t=${server.token}`);
  await reader.ready();
  const view = page.getByRole("region", { name: "View" });
  await expect(view.getByRole("button", { name: "2 errors" })).toBeVisible();
  await expect(view.getByRole("button", { name: /elsewhere/ })).toHaveCount(0);
  await reader.press("]");
  await expect(page.locator("article:focus")).toContainText("String to replace not found");
  const first = await reader.focusedRow();
  await reader.press("]");
  await expect.poll(async () => (await reader.focusedRow()) !== first).toBe(true);
  await reader.press("]");
  await expect(page.getByText("No error below")).toBeVisible();

  await page
    .getByRole("button", { name: /^First prompt.*13 rows/ })
    .first()
    .click();
  await expect(page).toHaveURL(/branch=/);
  await expect(view.getByRole("button", { name: "2 errors elsewhere" })).toBeVisible();
  await view.getByRole("button", { name: "2 errors elsewhere" }).click();
  await page
    .getByRole("menuitem", { name: /^Edit · on another branch/ })
    .first()
    .click();
  await expect(page.locator('article[tabindex="0"]')).toContainText("String to replace not found");
  await expect(page).not.toHaveURL(/branch=/);

  await page.goto(`${rewound}?detail=conversation#t=${server.token}`);
  await view.getByRole("button", { name: "2 errors elsewhere" }).click();
  await page.getByRole("menuitem", { name: "Show 2 hidden by this view" }).click();
  await expect(view.getByRole("button", { name: "2 errors" })).toBeVisible();

  // The error is in one of its agents.
  await page.goto(`${server.url}/sessions/10c8bbec-584f-48bb-98ba-7edc5c0c4e79#t=${server.token}`);
  await view.getByRole("button", { name: "1 error elsewhere" }).click();
  await page.getByRole("menuitem", { name: /^Read · in an agent/ }).click();
  await expect(page).toHaveURL(/agent=/);
  await expect(view.getByRole("button", { name: "1 error", exact: true })).toBeVisible();
});

test("the project's files come before the plan that was made for them", async ({ page }) => {
  await page.goto(link(`/sessions/${PLANNED}?view=changes`));
  const review = page.getByRole("region", { name: "Changes" });
  await expect(review.getByRole("heading")).toHaveText([
    "Changes of the session",
    /^hello\.py/,
    "Plans",
    /^~\/\.claude\/plans\/.*\.md/,
  ]);
  const tree = review.getByRole("navigation", { name: "Changed files" });
  await expect(tree).toHaveText(/hello\.py.*Plans.*~\/\.claude\/plans/);
});

test("all changes are on one page", async ({ page }) => {
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
  expect(await seriousViolationsIn(page)).toEqual([]);
  await reader.press("Escape");
  await expect(review).toHaveCount(0);
  await reader.press("J", "d");
  await expect(page).toHaveURL(/turn=\d/);
  expect(problems).toEqual([]);
});

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { logOf } from "@/lib/testing/log-writer";
import type { Annotation, AnnotationsResponse } from "@/lib/wire/annotations";
import type { CreatedShare } from "@/lib/wire/shares";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { serveLive } from "./support/live-server";
import { ask, builtServer, startServer } from "./support/server";
import { test } from "./support/test";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");

const HOSTILE = '<img src=x onerror="window.hit=1"> [a](javascript:alert(1)) \u202Egnp.exe';

const live = serveLive();

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const kept = async (): Promise<Annotation[]> =>
  (await ask<AnnotationsResponse>(live.server, `annotations?session=${live.sessionId}`)).annotations;

/** @param part what is new on a page that has been looked at, here or in a11y.spec.ts; otherwise all of it */
async function expectNoBarriers(page: Page, part?: string): Promise<void> {
  expect(await seriousViolationsIn(page, part)).toEqual([]);
}

const DIALOG = '[role="dialog"]';
const PANE = 'section[aria-label="Comments"]';

const pane = (page: Page) => page.getByRole("region", { name: "Comments" });
const sessionRow = (page: Page, title: string | RegExp) =>
  page.getByRole("table", { name: "Sessions" }).getByRole("row").filter({ hasText: title });

async function openLibrary(page: Page): Promise<void> {
  await page.goto(`${live.server.url}/#t=${live.server.token}`);
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("link").first()).toBeVisible();
}

async function secondPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
}

test("a session is starred, named, tagged and hidden, and found again", async ({ page }) => {
  const problems = await watchPolicy(page);
  await live.open(page);
  await page.getByRole("button", { name: "Star this session" }).click();
  await expect(page.getByRole("button", { name: "Remove the star" })).toBeVisible();
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Name, tags and note" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("The flaky retries");
  await dialog.getByRole("textbox", { name: "Add a tag" }).fill("retry");
  await page.keyboard.press("Enter");
  await dialog.getByRole("textbox", { name: "Add a tag" }).fill("later");
  await dialog.getByRole("textbox", { name: "Note" }).fill(HOSTILE);
  await expect(dialog.getByRole("checkbox", { name: "Starred" })).toBeChecked();
  await expectNoBarriers(page, DIALOG);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The flaky retries");

  await page.getByRole("link", { name: "Library" }).click();
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("is:starred");
  const row = sessionRow(page, "The flaky retries");
  await expect(row.getByText("retry", { exact: true })).toBeVisible();
  await expect(row.getByRole("img", { name: "Starred" })).toBeVisible();
  await expect(row.getByRole("img", { name: /^Note: <img/ })).toBeVisible();
  await page.getByRole("searchbox").fill("tag:later has:note");
  await expect(row).toBeVisible();
  await page.getByRole("button", { name: "Save this search" }).click();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByRole("link", { name: "tag:later has:note" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("tag:later has:note");
  await page.getByRole("searchbox").fill("");

  // With the pointer, when all are listed again; and gone from the list at once.
  await expect(sessionRow(page, /./).nth(2)).toBeVisible();
  await expect(async () => {
    await row.hover();
    await row.getByRole("button", { name: "Hide from the library" }).click({ timeout: 2_000 });
  }).toPass();
  await expect(row).toHaveCount(0);
  await page.getByRole("searchbox").fill("is:hidden");
  await expect(row).toBeVisible();
  // After a restart all is as it was.
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(problems).toEqual([]);
});

test("several sessions are organised at once", async ({ page }) => {
  await openLibrary(page);
  const links = page.getByRole("table", { name: "Sessions" }).getByRole("link");
  const count = Math.min(3, await links.count());
  for (let n = 0; n < count; n++) {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
  }
  const bar = page.getByRole("toolbar", { name: "Selected sessions" });
  await expect(bar).toContainText(`${count} sessions selected`);
  await expectNoBarriers(page, '[role="toolbar"][aria-label="Selected sessions"]');
  await bar.getByRole("button", { name: "Star" }).click();
  await expect(page.getByRole("img", { name: "Starred" })).toHaveCount(count);
  await bar.getByRole("button", { name: "Tags" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Add a tag" }).fill("together");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("together", { exact: true })).toHaveCount(count);
  // They are exported as they are selected, on a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  const edges = () =>
    bar.getByRole("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  await expect.poll(async () => Math.max(...(await edges())), { timeout: 5_000 }).toBeLessThanOrEqual(390);
  await bar.getByRole("button", { name: `Export ${count} sessions` }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Markdown" }).click();
  expect((await download).suggestedFilename()).toBe(`backscroll-${count}-sessions.zip`);
  // What is told of them lies over none of their buttons, at either width.
  await page.keyboard.press("H");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(bar).toBeVisible();
  const isAboveBar = async () => {
    const [told, below] = [page.getByText("shown in the library again"), bar];
    const [text, box] = [await told.boundingBox(), await below.boundingBox()];
    return text && box && text.y + text.height <= box.y;
  };
  await expect.poll(isAboveBar).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(isAboveBar).toBe(true);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("shown in the library again")).toBeHidden({ timeout: 2_000 });
  await page.emulateMedia({ media: null });
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  // With Back the dialog is not opened again, and what was done stays.
  await page.reload();
  await expect(page.getByText("together", { exact: true })).toHaveCount(count);
});

test("a comment on selected words is quoted, answered, edited, resolved, sent, and live for all", async ({
  page,
  browser,
}) => {
  const problems = await watchPolicy(page);
  const session = await live.open(page);
  const other = await secondPage(browser);
  const theirs = await live.open(other);
  const row = session.rows.filter({ hasText: "Turn 8, line 5" });
  await page.keyboard.press("G");
  await row.scrollIntoViewIfNeeded();
  await row.getByText("Turn 8, line 5").click({ clickCount: 3 });
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await pane(page).getByRole("textbox", { name: "Comment" }).fill(HOSTILE);
  await expectNoBarriers(page, PANE);
  await page.keyboard.press("ControlOrMeta+Enter");
  const comment = pane(page).getByRole("article", { name: "Comment" });
  // What would turn the text around is written out, as in the log.
  await expect(comment).toContainText('<img src=x onerror="window.hit=1"> [a](javascript:alert(1))');
  await expect(comment).not.toContainText("\u202E");
  await expect(row.getByRole("button", { name: "1 comment on this row" })).toBeVisible();

  // The other window has it without being asked, and answers.
  await expect(other.getByRole("button", { name: "Comments, 1 open" })).toBeVisible();
  await other.keyboard.press("A");
  const their = pane(other).getByRole("article", { name: "Comment" });
  await their.getByRole("button", { name: "Turn 8, line 5" }).click();
  await expect(theirs.rows.filter({ hasText: "Turn 8, line 5" })).toBeInViewport();
  await their.getByRole("button", { name: "Reply" }).click();
  await pane(other).getByRole("textbox", { name: "Reply" }).fill("I see");
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect(comment).toContainText("I see");

  await pane(page).getByRole("button", { name: "Copy 1 as prompt" }).click();
  await expect(pane(page).getByRole("button", { name: "Copy again" })).toBeVisible();
  const prompt = await page.evaluate(() => navigator.clipboard.readText());
  expect(prompt).toContain("> Turn 8, line 5");
  expect(prompt).toContain(`${HOSTILE}\n\nI see`);

  await comment.getByRole("button", { name: "Resolve" }).click();
  await expect(other.getByRole("button", { name: "Comments", exact: true })).toBeVisible();
  await expect(their).toContainText("resolved");
  await expectNoBarriers(page);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(problems).toEqual([]);
  await other.context().close();
});

test("a comment on lines or a hunk of a diff says where they stand in their file, in the prompt too", async ({
  page,
}) => {
  const path = "/home/dev/shop/cart.ts";
  const id = live.writer.call("Edit", { file_path: path, old_string: "old total", new_string: "new total" });
  const hunk = (start: number, words: string) => ({
    ...{ oldStart: start, oldLines: 3, newStart: start, newLines: 3 },
    lines: [` before ${words}`, `-old ${words}`, `+new ${words}`, ` after ${words}`],
  });
  const structuredPatch = [hunk(11, "total"), hunk(41, "tax")];
  live.writer.result(id, "The file has been updated.", {
    toolUseResult: { filePath: path, structuredPatch },
  });
  const session = await live.open(page, "?detail=tools");
  await page.keyboard.press("G");
  const row = session.rows.filter({ hasText: "cart.ts" });
  await row.getByRole("button", { name: /^Open Edit/ }).click();
  const line = (words: string) => row.getByText(words, { exact: true });
  await expect(line("new total")).toBeVisible();
  // From the added line to the one behind it.
  const [from, to] = [await line("new total").elementHandle(), await line("after total").elementHandle()];
  await page.evaluate(
    ([first, last]) => {
      if (first && last) getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    },
    [from, to],
  );
  await page.keyboard.press("a");
  await expect(pane(page).getByText(`${path}:12-13`)).toBeVisible();
  await pane(page).getByRole("textbox", { name: "Comment" }).fill("Why?");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(pane(page).getByRole("article", { name: "Comment" })).toContainText(`${path}:12-13`);

  // A hunk that the address points at, whole.
  const place = `${await row.getAttribute("data-record-id")}.${await row.getAttribute("data-block")}`;
  await page.goto(`${live.server.url}/sessions/${live.sessionId}?detail=tools&panes=comments&at=${place}:h2`);
  await expect(line("new tax")).toBeVisible();
  await page.keyboard.press("a");
  await expect(pane(page).getByText(`${path}:41-43`)).toBeVisible();
  await pane(page).getByRole("textbox", { name: "Comment" }).fill("All of it");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(pane(page).getByRole("article", { name: "Comment" })).toHaveCount(2);
  await expectNoBarriers(page, PANE);
  await pane(page).getByRole("button", { name: "Copy 2 as prompt" }).click();
  await expect(pane(page).getByRole("button", { name: "Copy again" })).toBeVisible();
  const prompt = await page.evaluate(() => navigator.clipboard.readText());
  for (const place of [`${path}:12-13`, `${path}:41-43`]) expect(prompt).toContain(`. ${place}\n> `);

  // Among all changes the comments stand beside them, and a further one is written there.
  await page.keyboard.press("D");
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.getByRole("button", { name: "2 comments on this change" })).toBeVisible();
  await expect(changes.getByRole("article", { name: "Comment" })).toHaveCount(2);
  const removed = await changes.getByText("old tax", { exact: true }).elementHandle();
  await page.evaluate((text) => text && getSelection()?.selectAllChildren(text), removed);
  await page.keyboard.press("a");
  await pane(page).getByRole("textbox", { name: "Comment" }).fill("And this?");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(changes.getByRole("button", { name: "3 comments on this change" })).toBeVisible();
  await expectNoBarriers(page);
  await pane(page).getByTitle("Go to these lines").last().click();
  await expect(changes).toHaveCount(0);
  await expect(line("old tax")).toBeInViewport();
  await page.goBack();
  await expect(changes.getByRole("article", { name: "Comment" })).toHaveCount(3);
});

test("two windows that edit one comment lose neither text", async ({ page, browser }) => {
  await live.open(page);
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await pane(page).getByRole("textbox", { name: "Comment" }).fill("first");
  await page.keyboard.press("ControlOrMeta+Enter");
  const other = await secondPage(browser);
  await live.open(other, "?panes=comments");
  const edit = async (where: Page, text: string) => {
    const comment = pane(where).getByRole("article", { name: "Comment" });
    await comment.hover();
    await comment.getByRole("button", { name: "Edit" }).click();
    await pane(where).getByRole("textbox", { name: "Edit the comment" }).fill(text);
  };
  await edit(page, "mine");
  await edit(other, "theirs");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(async () => (await kept()).map(({ body }) => body)).toEqual(["mine"]);
  // Whose field was opened before that is told, and keeps the text.
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect(pane(other).getByRole("alert")).toContainText(
    "changed meanwhile in another window. It says: “mine”",
  );
  await expect(pane(other).getByRole("textbox", { name: "Edit the comment" })).toHaveValue("theirs");
  expect((await kept()).map(({ body }) => body)).toEqual(["mine"]);
  // Saving again replaces it knowingly.
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(async () => (await kept()).map(({ body }) => body)).toEqual(["theirs"]);
  await other.context().close();
});

test("bookmarks and the pane survive a reload, Back, a log that grew, and one that was written anew", async ({
  page,
}) => {
  const session = await live.open(page);
  await session.rows.filter({ hasText: "Prompt 1" }).first().click();
  await page.keyboard.press("m");
  await expect(page.getByRole("button", { name: "Remove the bookmark" })).toBeVisible();
  await page.keyboard.press("a");
  await pane(page).getByRole("textbox", { name: "Comment" }).fill("Here it begins");
  // What is not sent yet is there again with its pane.
  await page.goBack();
  await expect(pane(page)).toHaveCount(0);
  await page.goForward();
  await expect(pane(page).getByRole("textbox", { name: "Comment" })).toHaveValue("Here it begins");
  await page.reload();
  await expect(pane(page).getByRole("textbox", { name: "Comment" })).toHaveValue("Here it begins");
  await page.getByRole("link", { name: "Library" }).click();
  await expect(page.getByRole("table", { name: "Sessions" })).toBeVisible();
  await page.goBack();
  await expect(pane(page).getByRole("textbox", { name: "Comment" })).toHaveValue("Here it begins");
  await pane(page).getByRole("button", { name: "Comment", exact: true }).click();
  await expect(pane(page).getByRole("article", { name: "Comment" })).toContainText("Here it begins");
  await page.goBack();
  await expect(pane(page)).toHaveCount(0);
  await page.goForward();
  await expect(pane(page)).toBeVisible();
  await page.reload();
  await expect(pane(page).getByRole("article", { name: "Comment" })).toContainText("Prompt 1");
  live.writer.say("One more");
  await expect.poll(async () => (await kept()).map(({ state }) => state)).toEqual(["anchored", "anchored"]);
  const path = logOf(live.folder.dir, live.sessionId);
  const text = readFileSync(path, "utf8");
  rmSync(path);
  writeFileSync(path, text.replaceAll('"Prompt 1"', '"Another prompt"'));
  appendFileSync(path, "\n");
  await expect.poll(async () => (await kept()).map(({ state }) => state)).toEqual(["detached", "detached"]);
  await page.reload();
  await expect(pane(page).getByText("lines gone").first()).toBeVisible();
  await expect(pane(page).getByRole("article", { name: "Comment" })).toContainText("Prompt 1");
});

test("whoever has a link to one session has none of its owner's marks", async ({ page: guest }) => {
  const name = {
    id: "e2e-star-0001",
    kind: "name",
    target: { sessionId: live.sessionId },
    body: "Not for others",
  };
  await ask(live.server, "annotations", { method: "POST", body: name });
  // That its owner sees it is shown above.
  expect((await kept()).map(({ body }) => body)).toEqual(["Not for others"]);
  const share = await ask<CreatedShare>(live.server, "shares", {
    method: "POST",
    body: { sessionId: live.sessionId },
  });
  await guest.goto(`${live.server.url}${share.path}#t=${share.token}`);
  await new SessionPage(guest).ready();
  await expect(guest.getByRole("heading", { level: 1 })).not.toHaveText("Not for others");
  await expect(guest.getByRole("button", { name: /^(Star|Comments)/ })).toHaveCount(0);
});

test("the command line takes everything to another data folder, once", async () => {
  // Everything is what this test has put there.
  const own = await startServer({ claudeDirs: [live.folder.dir] });
  const put = (id: string, kind: string, body: string) =>
    ask(own, "annotations", {
      method: "POST",
      body: { id, kind, target: { sessionId: live.sessionId }, body },
    });
  await put("e2e-tag-0001", "tag", "retry");
  await put("e2e-note-0001", "note", HOSTILE);
  const scratch = mkdtempSync(join(tmpdir(), "backscroll-moved-"));
  try {
    const file = join(scratch, "annotations.json");
    const run = (dataDir: string, ...args: string[]) =>
      spawnSync(
        process.execPath,
        [CLI, "--claude-dir", live.folder.dir, "--data-dir", dataDir, "--no-archive", "annotations", ...args],
        { encoding: "utf8", env: { ...process.env, BACKSCROLL_SERVER: builtServer() } },
      ).stdout;
    expect(run(own.dataDir, "export", "--output", file)).toBe(`Wrote 2 annotations to ${file}\n`);
    const other = join(scratch, "data");
    // Each command would start one of its own.
    const next = await startServer({ claudeDirs: [live.folder.dir], dataDir: other });
    expect(run(other, "import", file)).toBe("Added 2 annotations\n");
    expect(run(other, "import", file)).toBe("Added 0 annotations, 2 were there already\n");
    const { first } = JSON.parse(run(other, "export")) as { first: { items: { body: { value: string } }[] } };
    expect(first.items.map(({ body }) => body.value)).toEqual(["retry", HOSTILE]);
    await next.stop();
  } finally {
    await own.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { RECORDED_VERSIONS, type RecordedVersion, type Recording } from "@/lib/testing/recorded";
import { runs, sampleOf } from "@/lib/testing/runs";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { SessionPage } from "./pages/session-page";
import { violationsInBothSchemes } from "./support/accessibility";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { ask } from "./support/server";
import { steady } from "./support/steady";
import { test } from "./support/test";

/** An edit and a command (scenario edit-file), an image (image), an agent that starts another (task-nested). */
const EDITED = "3b520560-9e45-4a42-a9df-8bcf1b5fe7d7";
const IMAGE = "5bd2b826-efaf-4c86-a5d7-34bbe56c4154";
const NESTED = "3f45ef1b-8857-4eff-95a0-66f76b562ec2";

const [FIRST, ...LATER] = RECORDED_VERSIONS;
/** A file has the rows of the page's own model, in which no version is left: in `npm test` every fourth, with the newest. */
const VERSIONS: readonly [RecordedVersion, ...RecordedVersion[]] = [FIRST, ...sampleOf(LATER, 4, 1)];

let server: RecordedServer;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-exported-"));
  server = await serveRecordings(VERSIONS);
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function asked(path: string): Promise<Response> {
  const { url, token } = server;
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status, path).toBe(200);
  return response;
}

/** A file that is open with the network off, and what it has said and asked for since. */
type OpenFile = { page: Page; said: string[]; requests: string[] };

async function openFile(
  browser: Browser,
  id: string,
  options: BrowserContextOptions = {},
  how = "",
): Promise<OpenFile> {
  const path = join(folder, `${id}.html`);
  const response = await asked(`/api/sessions/${encodeURIComponent(id)}/export?format=html${how}`);
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await context.setOffline(true);
  const page = await context.newPage();
  const said: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return { page, said, requests };
}

async function closeFile({ page, said, requests }: OpenFile): Promise<void> {
  expect(said).toEqual([]);
  expect(requests).toEqual([]);
  await page.context().close();
}

/** High enough that every row of a recording is drawn, with all that can be opened open. */
const TALL = { width: 1440, height: 16_000 };

async function openRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(
      "main button[data-openable][aria-expanded=false]",
    ))
      button.click();
  });
}

/** The text of each row by its key, but for ways to other branches and to the context, which no file has. */
function rowTexts(page: Page): Promise<[string, string][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main article[data-record-id]")]
      .filter((one) => !/branches from here|^\s*\d+ of \d+\s/.test(one.innerText))
      .map((one) => [
        `${one.dataset.recordId}.${one.dataset.block}`,
        one.innerText.replace(/Context\s+before(\s+and\s+after)?|Context\s+after/g, "").replace(/\s+/g, " "),
      ]),
  );
}

/**
 * Sessions of a recording, the longest first: they differ in the scenario that was played, and the short ones in little. A
 * log in which nobody has said anything (a summary of another session in 1.0.128, a snapshot in 2.0.42) has no rows to read.
 */
function sessionsIn({ claudeDir }: Recording): string[] {
  return readdirSync(join(claudeDir, "projects"), { recursive: true, encoding: "utf8" })
    .filter((name) => /^[0-9a-f-]{36}\.jsonl$/.test(basename(name)))
    .filter((name) => /"type":"user"/.test(readFileSync(join(claudeDir, "projects", name), "utf8")))
    .map((name) => ({ name, bytes: statSync(join(claudeDir, "projects", name)).size }))
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(({ name }) => basename(name, ".jsonl"));
}

for (const [nth, version] of VERSIONS.entries()) {
  test(`sessions of ${version} read in their files as on the page`, async ({ page, browser }) => {
    test.setTimeout(runs(120_000, 3_600_000));
    await page.setViewportSize(TALL);
    await page.addInitScript(() =>
      localStorage.setItem("backscroll.preferences", JSON.stringify({ foldRuns: false })),
    );
    const ids = sessionsIn(server.recordings[nth] ?? server.recordings[0]).slice(0, runs(1, 500));
    expect(ids).not.toEqual([]);
    for (const id of ids) {
      await page.goto(`${server.url}/sessions/${encodeURIComponent(id)}#t=${server.token}`);
      await new SessionPage(page).ready();
      const file = await openFile(browser, id, { viewport: TALL });
      await new SessionPage(file.page).ready();
      await expect(async () => {
        // Rows that are drawn later are opened later.
        await openRows(page);
        await openRows(file.page);
        expect(await rowTexts(file.page), id).toEqual(await rowTexts(page));
      }).toPass({ intervals: [20, 50, 100, 250, 500] });
      await closeFile(file);
    }
  });
}

test("find goes from hit to hit, turns are folded and calls opened, and the whole thread is printed", async ({
  browser,
}) => {
  const file = await openFile(browser, EDITED);
  const { page } = file;

  await test.step("find goes from hit to hit, and opens what holds them", async () => {
    const field = page.getByRole("searchbox", { name: "Find in session" });
    await page.keyboard.press("/");
    await field.fill('"A tiny shop"');
    await field.press("Enter");
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
    // It stands in what a call has read, which was closed.
    await expect(page.locator("main [data-openable][aria-expanded=true]").first()).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get("find-current") ?? [])].map(String).join()))
      .toMatch(/a tiny shop/i);
    await field.fill("no such words in here");
    await expect(page.getByText("No results")).toBeVisible();
    await field.press("Escape");
  });

  await test.step("turns are folded and unfolded, calls opened, code and diffs in colours", async () => {
    const thread = new SessionPage(page);
    await thread.ready();
    const all = await thread.rows.count();
    await page.getByTitle("Fold this turn (f)").first().click();
    await expect.poll(() => thread.rows.count()).toBeLessThan(all);
    await expect(thread.rows.first()).toContainText("The greeting is fixed");
    await page.getByTitle("Unfold this turn (f)").first().click();
    await expect.poll(() => thread.rows.count()).toBe(all);
    const edit = page.locator("main article", { hasText: /Edit\s*hello\.py/ }).first();
    await edit.locator("[data-openable]").click();
    await expect(edit.locator(".text-a-magenta").first()).toBeVisible();
    // What needs a server is not offered.
    await expect(page.getByRole("button", { name: /Copy link|Show the record/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Brief" }).first().click();
    await expect(page.getByRole("region", { name: "Turn 1 in brief" })).toContainText("hello.py");
  });

  await test.step("the browser prints the whole thread", async () => {
    await page.setViewportSize({ width: 1440, height: 300 });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const sheet = page.locator("[data-print-sheet]");
    await expect(sheet.getByText(/^The greeting is fixed/)).toBeVisible();
    await expect(sheet.getByRole("heading", { level: 1 })).toBeVisible();
  });
  await closeFile(file);
});

test("an agent opens in its call, beside the thread and alone", async ({ browser }) => {
  const file = await openFile(browser, NESTED);
  const { page } = file;
  await new SessionPage(page).ready();
  await page
    .getByRole("button", { name: /^Open .* beside$/ })
    .first()
    .click();
  const pane = page.getByRole("region", { name: /^Agent / });
  await expect(pane.locator("article").first()).toContainText("Delegate further.");
  await page.getByRole("button", { name: "Open full page" }).first().click();
  await expect(page.locator("main article").first()).toContainText("Delegate further.");
  await page.getByRole("button", { name: "Main thread" }).click();
  const call = page.locator("main article", { hasText: "Outer agent" }).first();
  await call.locator("[data-openable]").first().click();
  if ((await call.getByRole("button", { name: "Thread", pressed: false }).count()) > 0)
    await call.getByRole("button", { name: "Thread" }).click();
  await expect(call).toContainText("Delegate further.");
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await closeFile(file);
});

test("a reload shows what was shown, where it was", async ({ browser }) => {
  const file = await openFile(browser, NESTED, { viewport: { width: 1440, height: 300 } });
  const { page } = file;
  const thread = new SessionPage(page);
  await thread.ready();
  await page
    .getByRole("button", { name: /^Open .* beside$/ })
    .first()
    .click();
  const pane = page.getByRole("region", { name: /^Agent / });
  await expect(pane.locator("article").first()).toBeVisible();
  // What is open above it, and how far the reader has scrolled.
  await page.keyboard.press("Home");
  const call = page.locator("main article", { hasText: "Outer agent" }).first();
  await call.locator("[data-openable]").first().click();
  // Before the agent's thread is in there, the end of what is shown is another one.
  await expect(call).toContainText("Delegate further.");
  await page.keyboard.press("End");
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("main article[data-record-id]")].map((one) => [
        one.dataset.recordId,
        Math.round(one.getBoundingClientRect().top),
      ]),
    );
  await expect
    .poll(() => page.evaluate(() => document.querySelector("main")?.scrollTop ?? 0))
    .toBeGreaterThan(0);
  const atEnd = await steady(page, places);
  // Who reloads the page in the moment of a scroll is where that has led, too.
  await page.evaluate(async () => {
    const main = document.querySelector("main");
    if (main) main.scrollTop -= 40;
    await new Promise(requestAnimationFrame);
  });
  const before = atEnd.map(([id, top]) => [id, Number(top) + 40]);
  await page.reload();
  await thread.ready();
  await expect(pane.locator("article").first()).toBeVisible();
  await expect.poll(places).toEqual(before);

  await pane.getByRole("button", { name: "Open full page" }).click();
  await expect(page.locator("main article").first()).toContainText("Delegate further.");
  await page.getByRole("button", { name: "Main thread" }).click();
  await expect.poll(places).toEqual(before);
  await closeFile(file);
});

test("images are in the file, at full size too", async ({ browser }) => {
  const file = await openFile(browser, IMAGE);
  const { page } = file;
  await new SessionPage(page).ready();
  await openRows(page);
  const image = page.locator("main img").first();
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  await page
    .getByRole("button", { name: /^Show at full size/ })
    .first()
    .click();
  await expect(page.getByRole("dialog").locator("img")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await closeFile(file);
});

test("comments go along, where they are asked for, beside the rows that they are about", async ({
  page,
  browser,
}) => {
  const { rows } = await ask<RowsResponse>(server, `sessions/${EDITED}/rows?count=200`);
  const add = (id: string, body: string, row: Row | undefined, more: object = {}) =>
    ask(server, "annotations", {
      method: "POST",
      body: {
        ...{ id, kind: "comment", body, ...more },
        target: { sessionId: EDITED, recordId: row?.recordId, block: row?.block },
      },
    });
  const prompt = rows.find(({ kind }) => kind === "turn");
  const edit = rows.find((row) => row.kind === "tool" && row.name === "Edit");
  await add("exported-one", "Say what it is for", prompt);
  await add("exported-two", "Mail anna@acme.io first", edit);
  await add("exported-three", "I did", undefined, { replyTo: "exported-two" });

  // The dialog offers them, and asks for them in no format that has no place for them.
  await page.goto(`${server.url}/sessions/${EDITED}#t=${server.token}`);
  await new SessionPage(page).ready();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("checkbox", { name: /^3 comments/ }).check();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download Markdown" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toContain("> Say what it is for");

  const without = await openFile(browser, EDITED);
  await new SessionPage(without.page).ready();
  await expect(without.page.getByRole("button", { name: /comment/ })).toHaveCount(0);
  await closeFile(without);

  const file = await openFile(browser, EDITED, {}, "&comments=1&redact=1&tilde=1");
  const thread = new SessionPage(file.page);
  await thread.ready();
  await thread.rows.first().click();
  // The selected row has no button for a first comment where none can be added.
  await expect(file.page.getByRole("button", { name: "Comment on this row", exact: true })).toHaveCount(0);
  const marks = file.page.getByRole("button", { name: "1 comment on this row" });
  await expect(marks).toHaveCount(2);
  await marks.last().click();
  const pane = file.page.getByRole("region", { name: "Comments" });
  const [one, two] = [pane.getByRole("article").first(), pane.getByRole("article").last()];
  await expect(one).toContainText("The person who shared this");
  await expect(one).toContainText("Say what it is for");
  await expect(two).toContainText("Mail [email 1] first");
  await expect(two).toContainText("I did");
  expect(await violationsInBothSchemes(file.page)).toEqual([]);

  await two.getByRole("button").click();
  await expect(file.page.locator(`main [data-record-id="${edit?.recordId}"]`)).toBeInViewport();
  await file.page.reload();
  await expect(pane).toBeVisible();
  await file.page.keyboard.press("A");
  await expect(pane).toHaveCount(0);
  await file.page.setViewportSize({ width: 390, height: 844 });
  await file.page.getByRole("button", { name: "2 comments" }).click();
  await one.getByRole("button").click();
  // There it covers the thread, so going to the lines closes it.
  await expect(pane).toHaveCount(0);
  await expect(file.page.locator(`main [data-record-id="${prompt?.recordId}"]`)).toBeInViewport();
  await closeFile(file);
});

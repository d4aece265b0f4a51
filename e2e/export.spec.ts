import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, expect, type Page } from "@playwright/test";
import { namesInZip } from "@/lib/testing/library/exports";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionPage } from "./pages/session-page";
import { violationsInBothSchemes } from "./support/accessibility";
import type { RecordedServer } from "./support/serve-recordings";
import { ask } from "./support/server";
import { test } from "./support/test";

/** An edit, a command, prose (scenario edit-file), and an agent that starts another (task-nested). */
const EDITED = "3b520560-9e45-4a42-a9df-8bcf1b5fe7d7";
const NESTED = "3f45ef1b-8857-4eff-95a0-66f76b562ec2";
/** Two branches (tui-rewind). */
const REWOUND = "bc3eabb5-f3f0-40ee-93ba-9144e383217c";

let server: RecordedServer;
let folder: string;
test.beforeAll(({ recorded }) => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-exported-"));
  server = recorded;
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Opens a session's exported file from disk, where no server is, in a browser that runs no scripts: what it shows to who
 * runs them is tested in exported-page.spec.ts.
 */
async function openExported(
  browser: Browser,
  source: string,
): Promise<{ file: Page; asked: () => string[] }> {
  const path = join(folder, "exported.html");
  writeFileSync(path, source);
  const asked: string[] = [];
  const context = await browser.newContext({ javaScriptEnabled: false });
  const file = await context.newPage();
  file.on("request", (request) => asked.push(request.url()));
  await file.goto(pathToFileURL(path).href);
  return { file, asked: () => asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")) };
}

async function expectNoWiderThanPhone(file: Page): Promise<void> {
  await file.setViewportSize({ width: 390, height: 844 });
  expect(await file.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** What the dialog downloads in a format, as text. */
async function downloaded(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: `Download ${name}` }).click();
  return readFileSync(await (await download).path(), "utf8");
}

/** What looks for faults is itself a script: it looks at what a browser without any shows. */
async function expectAccessible(page: Page, source: string): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(source.replace(/<script[^]*?<\/script>|<\/?noscript>|<style id[^]*?<\/style>/g, ""));
  expect(await violationsInBothSchemes(page)).toEqual([]);
}

test("a session is exported with two clicks as a file that reads like the session without scripts, also on a phone, and loads nothing", async ({
  page,
  browser,
}) => {
  await SessionPage.open(page, server, EDITED);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const source = await downloaded(page, "HTML");
  const { file, asked } = await openExported(browser, source);
  await expect(file.getByRole("heading", { level: 1 })).toBeVisible();
  const edit = file.locator("details.call", { hasText: "hello.py" }).filter({ has: file.locator(".diff") });
  await expect(edit.locator(".removed mark").first()).toBeVisible();
  const read = file.locator("details.call", { hasText: "README.md" }).first();
  await read.locator("summary").click();
  await expect(read.getByText("A tiny shop.")).toBeVisible();
  // Local times, as the page shows them.
  await expect(file.locator("h2.turn").first()).toContainText(/\d{1,2} [A-Z][a-z]{2} 2026, \d\d:\d\d:\d\d/);
  const shown = source.slice(source.indexOf("<noscript><main>"), source.lastIndexOf("</noscript>"));
  expect(shown).not.toMatch(/branches from here|\d{4}-\d\d-\d\dT/);
  await expectNoWiderThanPhone(file);
  expect(asked()).toEqual([]);
  await file.context().close();
  await expectAccessible(page, source);
});

test("what agents did is in the file", async ({ page, browser }) => {
  const headers = { Authorization: `Bearer ${server.token}` };
  const source = await (
    await fetch(`${server.url}/api/sessions/${NESTED}/export?format=html`, { headers })
  ).text();
  const { file, asked } = await openExported(browser, source);
  const answer = file.locator(".thread .thread").getByText("Quick answer from a sub-agent.");
  await expect(answer).toBeHidden();
  // Each level is opened by two clicks: its call, and the agent in it.
  for (const name of ["Outer agent", "Inner agent"]) {
    await file.locator("details.call > summary", { hasText: name }).click();
    await file.locator("details.agent > summary", { hasText: name }).click();
  }
  await expect(answer).toBeVisible();
  await expect(file.locator(".agent .prompt").first()).toContainText("Delegate further.");
  await expect(file.locator(".agent > summary").first()).toContainText(/done.*1 tool.*\d ms/);
  await expectNoWiderThanPhone(file);
  expect(asked()).toEqual([]);
  await file.context().close();
  await expectAccessible(page, source);
});

test("the sessions that the library's filters leave are downloaded as a zip", async ({ page }) => {
  await page.goto(`${server.url}/?q=${encodeURIComponent("SCENARIO:task-nested")}#t=${server.token}`);
  await page.getByRole("button", { name: /^Export \d+ sessions?$/ }).click();
  const listed = Number(/\d+/.exec((await page.getByRole("menu").getAttribute("aria-label")) ?? "")?.[0]);
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Markdown" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`backscroll-${listed}-sessions.zip`);
  const names = namesInZip(readFileSync(await file.path()));
  expect(names).toHaveLength(listed);
  for (const name of names) expect(name).toMatch(/^2026-\d\d-\d\d .* [0-9a-f]{8}\.md$/);
});

test("a part of a session is downloaded: another branch, turns of it, without tool calls", async ({
  page,
}) => {
  const { branches } = await ask<SessionDetail>(server, `sessions/${REWOUND}`);
  const other = branches.find(({ active }) => !active);
  await SessionPage.open(page, server, `${REWOUND}?branch=${other?.id}`);
  const open = async () => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    return page.getByRole("dialog", { name: "Export" });
  };

  const dialog = await open();
  // The first, in bold, is no wider than the others: the sizes beside them end on one line.
  const downloads = dialog.getByRole("button", { name: /^Download / });
  await expect(downloads.first()).toBeVisible();
  const edges = await downloads.evaluateAll((buttons) =>
    buttons.map((button) => Math.round(button.getBoundingClientRect().left)),
  );
  expect(new Set(edges).size).toBe(1);
  await dialog.getByRole("button", { name: "This branch" }).click();
  expect(JSON.parse(await downloaded(page, "JSON"))).toMatchObject({
    part: { branch: other?.id, turns: null, thinking: true, tools: true },
  });

  await open();
  await dialog.getByRole("button", { name: "Turns", exact: true }).click();
  await dialog.getByRole("textbox", { name: "First turn" }).fill("2");
  await dialog.getByRole("textbox", { name: "Last turn" }).fill("99");
  await expect(dialog.getByRole("alert")).toHaveText(`Turns are 1 to ${other?.turns}`);
  await expect(dialog.getByRole("button", { name: "Download JSON" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Last turn" }).fill("2");
  await dialog.getByRole("checkbox", { name: "Images" }).uncheck();
  await dialog.getByRole("checkbox", { name: "Tool calls" }).uncheck();
  // They go with the calls that start them.
  await expect(dialog.getByRole("checkbox", { name: "Agents" })).toBeDisabled();
  await expect(dialog.getByRole("checkbox", { name: "Agents" })).not.toBeChecked();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  const { part, rows } = JSON.parse(await downloaded(page, "JSON"));
  expect(part).toEqual({
    branch: other?.id,
    turns: { from: 2, to: 2 },
    records: null,
    thinking: true,
    tools: false,
    agents: false,
    images: false,
  });
  expect(rows.map(({ turn }: { turn: number }) => turn)).toEqual(rows.map(() => 2));
});

test("rows that were selected are downloaded, and nothing else", async ({ page }) => {
  const session = await SessionPage.open(page, server, `${REWOUND}?detail=tools`);
  const ids = await session.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-record-id")));
  await session.rows.nth(0).click();
  await session.press("j", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp");
  await expect(session.thread.locator("article[data-chosen]")).toHaveCount(2);
  await session.rows.nth(3).click({ modifiers: ["Shift"], position: { x: 400, y: 8 } });
  await expect(session.thread.locator("article[data-chosen]")).toHaveCount(3);
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog", { name: "Export" });
  await expect(dialog.getByRole("button", { name: "3 rows" })).toHaveAttribute("aria-pressed", "true");
  await expect(dialog.getByRole("listitem").filter({ hasText: "JSON" })).toContainText(/\d k?B/);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  const { part, rows } = JSON.parse(await downloaded(page, "JSON"));
  const shown = rows.filter(({ kind }: { kind: string }) => kind !== "bookkeeping");
  expect(new Set(shown.map(({ recordId }: { recordId: string }) => recordId))).toEqual(
    new Set(ids.slice(1, 4)),
  );
  expect(part.records).toEqual(expect.arrayContaining(ids.slice(1, 4)));
  await session.rows.nth(0).click();
  await expect(session.thread.locator("article[data-chosen]")).toHaveCount(0);
});

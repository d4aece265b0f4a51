import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { violationsInBothSchemes } from "./support/accessibility";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const FIXTURES = fixtureFolder("2.1.330");
/** Its thinking says "The user wants the greeting fixed"; its answers mention greetings as well. */
const GREETING = "bc3eabb5-f3f0-40ee-93ba-9144e383217c";

let server: TestServer;
/** A configuration folder, in which the last test goes on with a session of its own. */
let folder: string;
let growing: LogWriter;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-search-"));
  cpSync(FIXTURES, folder, { recursive: true });
  growing = new LogWriter(join(dirname(logOf(folder, GREETING)), `${randomUUID()}.jsonl`), "root");
  growing.prompt("Name animals");
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const link = (path: string) => `${server.url}${path}#t=${server.token}`;
const marks = (page: Page) => page.evaluate(() => CSS.highlights.get("find")?.size ?? 0);

test("the palette filters the names that it has before any response, and leads to the marked hit in its row", async ({
  page,
}) => {
  const problems = await watchPolicy(page);
  await page.goto(link("/"));
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Go to or search" });

  await test.step("names appear before any response: the palette filters the ones it has", async () => {
    await page.route("**/api/search?*", () => new Promise(() => {}));
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("option").first()).toBeVisible();
    await page.keyboard.type("parallel");
    await expect(palette.getByRole("option", { name: /SCENARIO:task-parallel/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/sessions\//);
    await page.unroute("**/api/search?*");
    await page.goBack();
  });

  await test.step("from the palette to the marked hit in its row", async () => {
    await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("greeting fixed");
    const hit = palette.getByRole("option", { name: /wants the greeting fixed/ });
    await expect(hit).toBeVisible();
    await hit.click();

    await expect(page).toHaveURL(new RegExp(`/sessions/[^?]*${GREETING}.*at=.*q=greeting`));
    const session = new SessionPage(page);
    await session.ready();
    const row = session.rows.filter({ hasText: "The user wants the greeting fixed" }).first();
    await expect(row).toBeInViewport();
    await expect(row.getByRole("button", { name: /^Close /, expanded: true })).toBeVisible();
    await expect.poll(() => marks(page)).toBeGreaterThan(1);
  });
  expect(problems).toEqual([]);
});

test("the search page groups hits, says when it is complete, narrows, and opens at the hit", async ({
  page,
}) => {
  const problems = await watchPolicy(page);
  await page.goto(link("/search"));
  const field = page.getByRole("textbox", { name: "Search every session" });
  await field.fill("greeting");
  await expect(
    page.getByRole("status").filter({ hasText: /^\d+ results? in \d+ sessions? · searched/ }),
  ).toBeVisible();
  await expect(page).toHaveURL(/q=greeting/);
  await expect(page.getByRole("heading", { name: /SCENARIO:edit-file/ })).toBeVisible();

  await page.getByRole("checkbox", { name: /^Thinking/ }).check();
  await expect(page).toHaveURL(/fields=thinking/);
  const hits = page.getByRole("list", { name: "Results" }).getByRole("link");
  await expect(hits).toHaveCount(1);
  await expect(hits.locator("mark")).toHaveText(/greeting/i);
  // A tab that is loaded again is still known by its query.
  await page.reload();
  await expect(hits).toHaveCount(1);
  expect(await page.title()).toBe("greeting · Backscroll");

  await page.getByRole("main").click({ position: { x: 400, y: 400 } });
  await page.keyboard.press("j");
  await expect(page.getByText("result 1 of 1")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${GREETING}.*at=.*q=greeting`));

  await test.step("Enter right behind the last letter opens a result of what was typed, not of what was asked before", async () => {
    await page.goBack();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).not.toHaveURL(/fields=/);
    await field.fill("parallel");
    await expect(page).toHaveURL(/q=parallel/);
    await expect(page.getByRole("heading", { name: /SCENARIO:task-parallel/ }).first()).toBeVisible();
    await expect(page.getByRole("list", { name: "Results" }).getByRole("link").first()).toBeVisible();
    await field.fill("greeting fixed");
    await field.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${GREETING}.*q=greeting`));
  });

  await test.step("a hit in a session's title is marked in place, and not repeated", async () => {
    await page.goBack();
    await field.fill("renamed");
    await expect(
      page.getByRole("status").filter({ hasText: /^\d+ results? in \d+ sessions? · searched/ }),
    ).toBeVisible();
    const heading = page.getByRole("heading", { name: "my renamed session" });
    await expect(heading.locator("mark")).toHaveText("renamed");
    await expect(page.getByRole("link").filter({ hasText: /^title|metadatamy renamed session/ })).toHaveCount(
      0,
    );

    await page.getByRole("checkbox", { name: /^Titles/ }).check();
    await expect(page.getByRole("status").filter({ hasText: "result" })).toBeVisible();
    await page.getByRole("main").click({ position: { x: 400, y: 400 } });
    await page.keyboard.press("j");
    await expect(page.getByText("result 1 of 1")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/sessions\/[^?]*\?q=renamed/);
  });
  expect(problems).toEqual([]);
});

test("results are narrowed by the state of what they stand in, and by git branch, as the filters of a query do, which the field completes", async ({
  page,
}) => {
  await page.goto(link("/search?q=second+answer+in:text"));
  const hits = page.getByRole("list", { name: "Results" }).getByRole("link");
  await page
    .getByRole("group", { name: "State" })
    .getByRole("checkbox", { name: /abandoned branch/ })
    .check();
  await expect(page).toHaveURL(/states=abandoned/);
  await expect(hits).toHaveCount(1);
  await expect(hits).toContainText("And a second answer in the same session.");
  await page.reload();
  await expect(hits).toHaveCount(1);
  await page.getByRole("group", { name: "Branch" }).getByRole("checkbox", { name: /^main/ }).check();
  await expect(page).toHaveURL(/branches=main/);
  await expect(hits).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).not.toHaveURL(/states=/);

  const field = page.getByRole("textbox", { name: "Search every session" });
  await field.fill("second answer in:text ");
  await field.press("End");
  await field.pressSequentially("is:aban");
  await field.press("Tab");
  await expect(field).toHaveValue("second answer in:text is:abandoned ");
  await expect(hits).toHaveCount(1);
  // What is wrong with a query is said while it is typed.
  await field.pressSequentially("is:nowhere");
  await expect(page.getByText("character 36", { exact: true })).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("second answer in:text is:abandoned ");
  await expect(field).toHaveAttribute("aria-invalid", "false");
  await expect(hits).toHaveCount(1);
  await hits.click();
  await expect(
    page.locator("[data-record-id]").filter({ hasText: "And a second answer" }).first(),
  ).toBeVisible();
});

test("find in session steps from hit to hit and marks them, and on a narrow page its field replaces the tool bar", async ({
  page,
}) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${GREETING}`));
  await session.ready();
  await session.press("/");
  const field = page.getByRole("searchbox", { name: "Find in session" });
  await expect(field).toBeFocused();
  await field.pressSequentially("greet");
  await expect.poll(() => marks(page)).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  const count = page.getByRole("status").filter({ hasText: / of \d+/ });
  await expect(count).toHaveText(/^1 of \d+/);
  await expect(page).toHaveURL(/at=/);
  await expect(page.locator('article[tabindex="0"]')).toBeVisible();
  // The field keeps the focus, so Enter goes to the next hit.
  await page.keyboard.press("Enter");
  await expect(count).toHaveText(/^2 of \d+/);
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/q=/);
  await expect.poll(() => marks(page)).toBe(0);

  await test.step("on a narrow page the field replaces the tool bar", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Find in this session" }).click();
    await expect(field).toBeFocused();
    await field.pressSequentially("greet");
    await page.getByRole("button", { name: "Next match" }).click();
    // It goes on from where it was.
    await expect(page.getByRole("status").filter({ hasText: / of \d+/ })).toHaveText(/^3 of \d+/);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
    await page.getByRole("button", { name: "Close find" }).click();
    await expect(field).toBeHidden();
    await expect(page.getByRole("group", { name: "Detail" })).toBeVisible();
  });
});

test("axe finds nothing on the search page and in the palette", async ({ page }) => {
  await page.goto(link("/search?q=greeting+is:nowhere"));
  await expect(
    page.getByRole("list", { name: "Results" }).or(page.getByRole("heading", { name: /^No results for/ })),
  ).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole("textbox", { name: "Search every session" }).fill("");
  await expect(page.getByRole("heading", { name: "Search every session" })).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("greeting in:t");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test("a new line can be found, and thousands of them with a click", async ({ page }) => {
  await page.goto(link("/search"));
  await expect(page.getByRole("heading", { name: "Search every session" })).toBeVisible();
  growing.say("an axolotl, said just now");
  const search = page.getByRole("textbox", { name: "Search every session" });
  // Another status may say that the index is still being built.
  const status = page
    .getByRole("main")
    .getByRole("status")
    .filter({ hasText: /results/ });
  await search.fill("axolotl");
  await expect(page.getByText("an axolotl, said just now").first()).toBeVisible();

  growing.say(...Array.from({ length: 5400 }, (_, n) => `walrus ${n}`));
  await search.fill("walrus in:text");
  await expect(status).toHaveText(/^First 5,\d{3} results in 1 session · more available$/);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(status).toHaveText(/^5,400 results in 1 session · searched/);
  await expect(page.getByRole("button", { name: "Load more" })).toHaveCount(0);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { AnnotationsResponse } from "@/lib/wire/annotations";
import { watchPolicy } from "./pages/watch-policy";
import { violationsIn } from "./support/accessibility";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const HOSTILE = '<img src=x onerror="window.hit=1"> \u202Egnp.exe';

let folder: string;
let server: TestServer;

/** Three projects: shop with three sessions, ledger with two, site with one. */
const PROJECTS = { shop: 3, ledger: 2, site: 1 };

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-projects-"));
  let made = 0;
  for (const [name, sessions] of Object.entries(PROJECTS)) {
    const logs = join(folder, "projects", `-home-dev-${name}`);
    mkdirSync(logs, { recursive: true });
    for (let n = 1; n <= sessions; n++) {
      made += 1;
      const cwd = `/home/dev/${name}`;
      const lines = [prompt(`${name} ${n}`, { cwd, sessionId: uuid(made) }), answer(`done ${name} ${n}`)];
      writeFileSync(join(logs, `${uuid(made)}.jsonl`), toText(lines));
    }
  }
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
// Each test begins with unmarked projects.
test.afterEach(async () => {
  const { annotations } = await ask<AnnotationsResponse>(server, "annotations");
  for (const { id } of annotations) await ask(server, `annotations/${id}`, { method: "DELETE" });
});

const rows = (page: Page) => page.getByRole("table", { name: "Sessions" }).getByRole("link");
const column = (page: Page) => page.getByRole("complementary", { name: "Projects" });
const projectLink = (page: Page, name: string) =>
  column(page).getByRole("link", { name: new RegExp(`^${name} `) });

async function openLibrary(page: Page, query = ""): Promise<void> {
  await page.goto(`${server.url}/${query}#t=${server.token}`);
  await expect(page.getByRole("searchbox")).toBeVisible();
}

async function choose(page: Page, project: string, action: string | RegExp): Promise<void> {
  await projectLink(page, project).hover();
  await column(page)
    .getByRole("button", { name: `Star, note or hide ${project}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await violationsIn(page)).toEqual([]);
}

test("a project is hidden with its sessions, which is said, undone, and shown again", async ({
  page,
  browser,
}) => {
  const problems = await watchPolicy(page);
  await openLibrary(page);
  await expect(rows(page)).toHaveCount(6);
  const other = await (await browser.newContext()).newPage();
  await openLibrary(other);
  await expect(rows(other)).toHaveCount(6);

  await choose(page, "ledger", "Hide from the library");
  await expect(rows(page)).toHaveCount(4);
  // The other window hears of it.
  await expect(rows(other)).toHaveCount(4);
  await expect(page.getByText("2 sessions are hidden")).toBeVisible();
  await expect(projectLink(page, "ledger")).toHaveCount(0);
  await expect(column(page).getByRole("link", { name: /^All sessions/ })).toContainText("4");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows(page)).toHaveCount(6);
  await expect(page.getByText(/sessions? (is|are) hidden$/)).toHaveCount(0);

  await choose(page, "ledger", "Hide from the library");
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Show them" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("is:hidden");
  await expect(rows(page)).toHaveCount(2);
  // Back leads to the list without them, as the way there was a step.
  await page.goBack();
  await expect(rows(page)).toHaveCount(4);

  await column(page).getByRole("button", { name: "1 hidden" }).click();
  await projectLink(page, "ledger").click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText("This project is hidden")).toBeVisible();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Show it again" }).click();
  await expect(page.getByText("This project is hidden")).toHaveCount(0);
  await expect(column(page).getByRole("button", { name: /hidden$/ })).toHaveCount(0);
  expect(problems).toEqual([]);
  await other.context().close();
});

test("where everything is hidden the library says so, and what else matches", async ({ page }) => {
  await openLibrary(page);
  for (const name of Object.keys(PROJECTS)) {
    await choose(page, name, "Hide from the library");
    await expect(projectLink(page, name)).toHaveCount(0);
  }
  await expect(page.getByText("6 sessions are hidden")).toBeVisible();
  await expect(page.getByText("All sessions here are hidden")).toBeVisible();
  await page.getByRole("searchbox").fill("site");
  await expect(page.getByText("1 session is hidden")).toBeVisible();
  await page.getByRole("button", { name: "Show it" }).click();
  await expect(rows(page)).toHaveCount(1);
});

test("a note on a project stands above its sessions, as text alone, and two windows lose neither", async ({
  page,
  browser,
}) => {
  const problems = await watchPolicy(page);
  await openLibrary(page);
  await projectLink(page, "shop").click();
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press("T");
  const dialog = page.getByRole("dialog", { name: "Note on shop" });
  await dialog.getByRole("textbox", { name: "Note" }).fill(HOSTILE);
  await dialog.getByRole("checkbox", { name: /^Starred/ }).check();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  const note = page.getByRole("button", { name: /^Edit the project’s note: / });
  await expect(note).toContainText('<img src=x onerror="window.hit=1">');
  await expect(note).not.toContainText("\u202E");
  await expect(column(page).getByRole("link", { name: /^Starred shop .*Has a note/ })).toBeVisible();
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  await expectNoBarriers(page);

  const other = await (await browser.newContext()).newPage();
  await openLibrary(other, new URL(page.url()).search);
  const edit = async (where: Page, text: string) => {
    await where.getByRole("button", { name: /^Edit the project’s note: / }).click();
    await where.getByRole("dialog").getByRole("textbox", { name: "Note" }).fill(text);
  };
  await edit(page, "mine");
  await edit(other, "");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(note).toContainText("mine");
  // Also who empties it has to have seen what it says.
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect(other.getByRole("alert")).toContainText(
    "changed meanwhile in another window. It says: “mine”",
  );
  await other.keyboard.press("ControlOrMeta+Enter");
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await expect(note).toHaveCount(0);
  const { annotations } = await ask<AnnotationsResponse>(server, "annotations");
  expect(annotations.map(({ kind }) => kind)).toEqual(["star"]);
  expect(problems).toEqual([]);
  await other.context().close();
});

test("projects of selected sessions are hidden and starred together, and from the palette", async ({
  page,
}) => {
  await openLibrary(page);
  await expect(rows(page)).toHaveCount(6);
  for (const title of ["shop 1", "site 1"]) {
    const row = page.getByRole("table", { name: "Sessions" }).getByRole("row").filter({ hasText: title });
    await row.hover();
    await row.getByRole("button", { name: "Select" }).click();
  }
  const bar = page.getByRole("toolbar", { name: "Selected sessions" });
  await bar.getByRole("button", { name: "2 projects" }).click();
  await page.getByRole("menuitem", { name: "Hide with all sessions" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText("4 sessions are hidden")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows(page)).toHaveCount(6);
  await page.keyboard.press("Escape");

  await projectLink(page, "ledger").click();
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("combobox");
  await palette.fill("star the project");
  await page.getByRole("option", { name: "Star the project", exact: true }).click();
  await expect(column(page).getByRole("link", { name: /^Starred ledger / })).toBeVisible();
});

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { violationsIn } from "./support/accessibility";
import { CallLog } from "./support/call-log";
import { startServer, type TestServer } from "./support/server";

const SESSION = "20000000-0000-4000-8000-000000000001";
/** A long paste as written by 2.1.330. */
const PASTE =
  '\n\n<pasted_content id="e6f3">\npasted line 0\npasted line 1\npasted line 2\n</pasted_content id="e6f3">\n\n';

let folder: string;
let server: TestServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-prompts-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const log = new CallLog(join(project, `${SESSION}.jsonl`));
  const bypass = { permissionMode: "bypassPermissions" };
  log.prompt(`${PASTE} What is wrong here?`, bypass);
  log.say("The second line.");
  log.prompt(PASTE, bypass);
  log.say("The same again.");
  log.prompt("Thanks", { permissionMode: "default" });
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a paste is folded below its prompt, whose title is the typed text", async ({ page }) => {
  const session = await SessionPage.open(page, server, SESSION);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What is wrong here?");
  const outline = page.getByRole("complementary", { name: "Outline" });
  await expect(outline.getByText("What is wrong here?")).toBeVisible();
  await expect(outline.getByText("pasted line 0", { exact: false })).toBeVisible();
  await expect(page.getByText("pasted_content")).toHaveCount(0);

  const first = session.rows.filter({ hasText: "What is wrong here?" });
  await expect(first).not.toContainText("pasted line 1");
  await first.getByRole("button", { name: "Pasted text 3 lines" }).click();
  await expect(first).toContainText("pasted line 1");
  expect(await violationsIn(page)).toEqual([]);

  // The library and all other lists of sessions show the same title.
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByRole("row", { name: /What is wrong here\?/ })).toBeVisible();
  await expect(page.getByText("pasted_content")).toHaveCount(0);
});

test("a permission mode is shown where it changes", async ({ page }) => {
  const session = await SessionPage.open(page, server, SESSION);
  await expect(session.rows.filter({ hasText: "Thanks" })).toContainText("asks first");
  await expect(page.getByText("bypasses permissions")).toHaveCount(1);
});

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { CallLog } from "./support/call-log";
import { startServer, type TestServer } from "./support/server";

const SHORT = "10000000-0000-4000-8000-000000000003";
const LONG = "10000000-0000-4000-8000-000000000004";
const SHORT_ROWS = 302;
const LONG_ROWS = 2_501;

let folder: string;
let server: TestServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-print-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const short = new CallLog(join(project, `${SHORT}.jsonl`));
  short.prompt("Say a lot");
  for (let n = 1; n < SHORT_ROWS - 1; n++) short.say(`Answer ${n} of many.`);
  short.read("last.ts");
  const long = new CallLog(join(project, `${LONG}.jsonl`));
  long.prompt("Say even more");
  for (let n = 1; n < LONG_ROWS; n++) long.say(`Answer ${n} of thousands.`);
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a session in a page that records what would be printed instead of opening the print dialog. */
async function openSession(page: Page, id: string): Promise<SessionPage> {
  await page.addInitScript(() => {
    window.print = () => {
      const sheet = document.querySelector("[data-print-sheet]");
      const rows = [...(sheet?.querySelectorAll("article") ?? [])].map((row) => row.textContent);
      Object.assign(window, { paper: { text: sheet?.textContent, rows } });
    };
  });
  await page.goto(`${server.url}/sessions/${id}#t=${server.token}`);
  const session = new SessionPage(page);
  await session.ready();
  return session;
}

type Paper = { text: string; rows: string[] };
const paperOf = (page: Page) => page.evaluate(() => (window as unknown as { paper?: Paper }).paper ?? null);

test("every row is printed, open rows with their content", async ({ page }) => {
  const session = await openSession(page, SHORT);
  await session.press("G");
  const last = session.rows.filter({ hasText: "last.ts" });
  await session.open(last);
  await page.keyboard.press("Control+p");
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const paper = await paperOf(page);
  expect(paper?.rows).toHaveLength(SHORT_ROWS);
  expect(paper?.rows[1]).toContain("Answer 1 of many.");
  expect(paper?.rows.at(-1)).toContain("const a = 1;");
  expect(paper?.text).not.toContain("this is all that is printed");
  // The page is unchanged afterwards.
  await expect(page.locator("[data-print-sheet]")).toHaveCount(0);
  await expect(last).toBeVisible();
});

test("a thread too long for paper is printed in part, with a note", async ({ page }) => {
  await openSession(page, LONG);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print what is shown" }).click();
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const paper = await paperOf(page);
  expect(paper?.rows).toHaveLength(2_000);
  expect(paper?.text).toContain("Rows 1 to 2,000 of 2,501");
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import type { LogWriter } from "@/lib/testing/log-writer";
import { plantSecrets } from "@/lib/testing/secrets";
import type { AgentsResponse } from "@/lib/wire/session";
import type { CreatedShare, SharesResponse } from "@/lib/wire/shares";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { copiedBy } from "./support/clipboard";
import { type LiveFolder, liveFolder, newLiveSession, openLive, SESSION } from "./support/live-folder";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const GITHUB = plantSecrets(18, 1).find(({ kind }) => kind === "github-token")?.secret ?? "";

/** A session that is not shared. */
const OTHER = "00000000-0000-4000-8000-000000000018";

let folder: LiveFolder;
let server: TestServer;
/** Each test has a session of its own. */
let sessionId: string;
let writer: LogWriter;

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test.beforeAll(async () => {
  folder = liveFolder();
  writeOther();
  server = await startServer({ claudeDirs: [folder.dir] });
});
test.afterAll(async () => {
  await server.stop();
  folder.remove();
});
test.beforeEach(async () => {
  ({ id: sessionId, writer } = await newLiveSession(folder, server));
});
test.afterEach(async ({ browser }) => {
  // Playwright closes its own page alone: those of guests would go on asking for what has ended.
  for (const context of browser.contexts()) await context.close();
  const { shares } = await ask<SharesResponse>(server, "shares");
  for (const { id } of shares) await ask(server, `shares/${id}`, { method: "DELETE" });
});

const openSession = (page: Page, query = "") => openLive(page, server, query, sessionId);

function writeOther(): void {
  const project = join(folder.dir, "projects", "-home-dev-other");
  mkdirSync(project);
  const ids = { type: "user", uuid: "u1", parentUuid: null, sessionId: OTHER, version: "2.1.330" };
  const message = { role: "user", content: "Nobody else is to read this" };
  const line = { ...ids, cwd: "/home/dev/other", timestamp: "2026-01-02T03:04:05.000Z", message };
  writeFileSync(join(project, `${OTHER}.jsonl`), `${JSON.stringify(line)}\n`);
}

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await seriousViolationsIn(page)).toEqual([]);
}

/** What is also looked for in a dialog: the first test that opens it does so for all. */
type Look = (page: Page) => Promise<void>;

/** Makes a link for another person with the dialog, and answers what its button copies. */
async function share(page: Page, look?: Look): Promise<string> {
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await expect(dialog.locator("output")).toHaveText(/[#&]t=•+$/);
  await look?.(page);
  const link = await copiedBy(page, () => dialog.getByRole("button", { name: "Copy link" }).click());
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  return link;
}

/** Another person's browser, with the answers that it gets from the server, by status. */
async function openGuest(browser: Browser, link: string) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const problems = await watchPolicy(page);
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.goto(link);
  const session = new SessionPage(page);
  return { page, session, refused, problems };
}

const banner = (page: Page) => page.getByRole("region", { name: "Shared with you" });
const ended = (page: Page) => page.getByText("This link has ended");
const agentPane = (page: Page) => page.getByRole("region", { name: "Agent Look around" });

/** How far below the top of its page an element stands. */
const topOf = async (element: Locator) => Math.round((await element.boundingBox())?.y ?? -1);

/** Revokes the only share, of which the list first says that it is read. */
async function revoke(page: Page, look?: Look): Promise<void> {
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("tab", { name: "Shared by me" }).click();
  const [item, ...others] = await dialog.getByRole("listitem").all();
  expect(others).toEqual([]);
  await expect(item ?? dialog).toContainText("1 reader now");
  await expect(item ?? dialog).toContainText(/opened (?:once|\d+ times, last)/);
  await look?.(page);
  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  await expect(page.getByText(/^The link has ended, also for 1 reader/)).toBeVisible();
  await expect(dialog.getByText("Nothing is shared")).toBeVisible();
  await page.keyboard.press("Escape");
}

test("a session is shared at a place, read as it goes on without its secrets, and taken back", async ({
  page,
  browser,
}) => {
  const agent = writer.startAgent("a1", "Look around");
  for (let n = 1; n <= 20; n++) agent.say(`Found ${n}`);
  // A pane opens at its end if the server knows by then that its agent runs.
  await expect
    .poll(async () => {
      const { agents = [] } = await ask<Partial<AgentsResponse>>(server, `sessions/${sessionId}/agents`);
      return agents.map(({ state }) => state);
    })
    .toEqual(["running"]);
  const problems = await watchPolicy(page);
  const session = await openSession(page, "?panes=agent:a1");
  await expect(agentPane(page).getByText("Found 20")).toBeVisible();
  await session.scrollTo(0.4);
  const row = session.rows.filter({ hasText: "Turn 4, line 5" });
  await row.click();
  const guest = await openGuest(browser, await share(page, expectNoBarriers));

  // The same row, as far down but for the line that says that it is shared, and the same pane.
  const theirs = guest.session.rows.filter({ hasText: "Turn 4, line 5" });
  await expect(theirs).toBeInViewport();
  // On a busy machine minutes have passed since the link was made.
  await expect(banner(guest.page)).toHaveText(/read-only · secrets redacted · ends in (5\d m|1 h)/);
  await expect(agentPane(guest.page).getByText("Found 20")).toBeVisible();
  const barPx = (await banner(guest.page).boundingBox())?.height ?? 0;
  await expect
    .poll(async () => Math.abs((await topOf(theirs)) - (await topOf(row)) - barPx))
    .toBeLessThanOrEqual(2);
  expect(guest.page.url()).not.toContain("share~");

  // What a guest cannot do is not there.
  for (const name of ["Library", "Search everything", "Resume"])
    await expect(
      guest.page.getByRole("link", { name }).or(guest.page.getByRole("button", { name })),
    ).toHaveCount(0);
  await expectNoBarriers(guest.page);
  await guest.page.keyboard.press("s");
  await expect(guest.page.getByRole("dialog", { name: "Copy link to this place" })).toBeVisible();
  await guest.page.keyboard.press("Escape");

  await guest.page.reload();
  await expect(banner(guest.page)).toBeVisible();
  await expect(agentPane(guest.page)).toBeVisible();

  writer.say(`Log in with ${GITHUB} now`);
  for (const one of [session, guest.session]) await one.press("G");
  await expect(session.thread.getByText(`Log in with ${GITHUB} now`)).toBeVisible();
  await expect(guest.session.thread.getByText("Log in with [github-token 1] now")).toBeVisible();
  expect(await guest.page.content()).not.toContain(GITHUB);
  await guest.page.keyboard.press("x");
  const download = guest.page.waitForEvent("download");
  await guest.page.getByRole("button", { name: "Download Markdown" }).click();
  const file = readFileSync(await (await download).path(), "utf8");
  expect(file).toContain("Log in with [github-token 1] now");
  expect(file).not.toContain(GITHUB);
  // It has asked for nothing that is not its own.
  expect(guest.refused).toEqual([]);
  expect([...problems, ...guest.problems]).toEqual([]);

  await revoke(page, expectNoBarriers);
  await expect(ended(guest.page)).toBeVisible();
  await guest.page.reload();
  await expect(ended(guest.page)).toBeVisible();
  await expect(guest.page.getByRole("textbox")).toHaveCount(0);
});

test("a share opens no other page, and no other session", async ({ page, browser }) => {
  await openSession(page);
  const link = await share(page);
  const guest = await openGuest(browser, link);
  await guest.session.ready();
  const shared = new URL(guest.page.url()).pathname;
  for (const path of ["/", "/search?q=line", "/now", "/doctor", `/sessions/${OTHER}`, "/nowhere"]) {
    await guest.page.goto(`${server.url}${path}`);
    await expect(guest.page.getByText("One session was shared with you"), path).toBeVisible();
    await expect(guest.page.getByText("Nobody else is to read this")).toHaveCount(0);
  }
  await guest.page.getByRole("link", { name: "Open the shared session" }).click();
  await guest.session.ready();
  await expect(guest.page).toHaveURL(({ pathname }) => pathname === shared);
});

test("a share that expires ends by itself, and says so", async ({ browser }) => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-shares-"));
  const first = await startServer({ claudeDirs: [folder.dir], dataDir });
  await expect.poll(() => ask(first, `sessions/${SESSION}`)).toHaveProperty("id", SESSION);
  const body = { sessionId: SESSION };
  const { path, token } = await ask<CreatedShare>(first, "shares", { method: "POST", body });
  await first.stop();
  // The shortest is a minute: of the stored one so much is left as a page takes to open, or less.
  const stored = join(dataDir, "shares.json");
  const soon = readFileSync(stored, "utf8").replace(
    /"expiresAtMs":\d+/,
    `"expiresAtMs":${Date.now() + 6_000}`,
  );
  writeFileSync(stored, soon);
  const again = await startServer({ claudeDirs: [folder.dir], dataDir });
  const guest = await openGuest(browser, `${again.url}${path}#t=${token}`);
  await expect(ended(guest.page)).toBeVisible();
  await again.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a share opened beside the owner's sessions is its tab's alone", async ({ page, context }) => {
  const session = await openSession(page);
  const link = await share(page);
  const tab = await context.newPage();
  await tab.goto(link);
  await expect(banner(tab)).toBeVisible();
  await page.reload();
  await session.ready();
  await expect(banner(page)).toHaveCount(0);
  await revoke(page);
  await expect(ended(tab)).toBeVisible();
  await tab.getByRole("button", { name: "Open my own sessions" }).click();
  await expect(tab.getByRole("link", { name: /Turn|Prompt|session/i }).first()).toBeVisible();
  await expect(tab).toHaveURL(`${server.url}/`);
});

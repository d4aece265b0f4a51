import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, type Page } from "@playwright/test";
import { type Recording, unpackRecording } from "@/lib/testing/recorded";
import type { ArchiveResponse } from "@/lib/wire/archive";
import type { SessionsResponse } from "@/lib/wire/library";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionPage } from "./pages/session-page";
import { ALONE, builtServer, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");

/** What of a configuration folder belongs to sessions. */
const KEPT = /^(?:projects|todos|tasks|plans|file-history|image-cache)[\\/]|^history\.jsonl$/;

let folder: string;
let server: TestServer;
let recording: Recording;
let claudeDir: string;
/** What the logs were before they were deleted. */
let before: string;
let scenarios: Record<string, { session: string }>;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-kept-"));
  before = join(folder, "before");
  recording = unpackRecording("2.1.42");
  ({ claudeDir } = recording);
  ({ scenarios } = JSON.parse(readFileSync(join(recording.dir, "manifest.json"), "utf8")));
  server = await startServer({ claudeDirs: [claudeDir], dataDir: join(folder, "data") });
  cpSync(claudeDir, before, { recursive: true });
  await expect.poll(() => storages()).toEqual(["both"]);
  const kept = filesIn(before).filter((path) => KEPT.test(path)).length;
  await expect.poll(async () => (await api<ArchiveResponse>("archive")).files).toBe(kept);
  for (const name of filesIn(claudeDir)) rmSync(join(claudeDir, name));
});
test.afterAll(async () => {
  await server.stop();
  recording[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function api<T>(path: string, { url, token } = server): Promise<T> {
  const response = await fetch(`${url}/api/${path}`, {
    headers: { ...ALONE, authorization: `Bearer ${token}` },
  });
  return (await response.json()) as T;
}

/** Where logs of sessions are, each way once. */
async function storages(): Promise<string[]> {
  const { sessions } = await api<SessionsResponse>("sessions?limit=1000");
  return [...new Set(sessions.map(({ storage }) => storage))];
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile())
    .sort();
}

async function openScenario(page: Page, name: string): Promise<SessionPage> {
  return SessionPage.open(page, server, `${scenarios[name]?.session}?detail=tools`);
}

test("sessions whose logs are deleted while the server runs stay in the library, marked as kept", async ({
  page,
}) => {
  await expect.poll(() => storages()).toEqual(["archive"]);
  await page.goto(`${server.url}/#t=${server.token}`);
  const rows = page.getByRole("row").filter({ hasText: "kept" });
  await expect(rows.first()).toBeVisible();
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("storage:both");
  await expect(rows).toHaveCount(0);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("storage:archive");
  await expect(rows.first()).toBeVisible();
});

test("a kept session opens, is searched, and keeps its place over Back and a reload", async ({ page }) => {
  const session = await openScenario(page, "task-one");
  await expect(page.getByText("kept", { exact: true }).first()).toBeVisible();
  await session.press("/");
  await page.getByRole("searchbox", { name: "Find in session" }).fill("greeting");
  await expect.poll(() => page.evaluate(() => CSS.highlights.get("find")?.size ?? 0)).toBeGreaterThan(0);
  await session.press("Escape");
  const outline = page.getByRole("complementary", { name: "Outline" });
  await outline.getByRole("tab", { name: /^Agents/ }).click();
  await outline
    .getByRole("button", { name: /^Open .* beside$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/panes=agent:/);
  const agent = page.getByRole("region", { name: /^Agent / });
  await expect(agent.getByText("It is a tiny shop: a greeting and two prices.").first()).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/panes=agent:/);
  await session.ready();
  await page.goForward();
  await expect(page).toHaveURL(/panes=agent:/);
  await page.reload();
  await session.ready();
  await expect(agent.getByText("It is a tiny shop: a greeting and two prices.").first()).toBeVisible();
});

test("a kept session shows outputs that were put aside, and images", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("backscroll.preferences", '{"foldRuns":false}'));
  const session = await openScenario(page, "bash");
  await session.press("j");
  await expect(page.locator("article:focus h2")).toBeVisible();
  await session.press("e");
  const long = session.rows
    .filter({ hasText: "a long output" })
    .filter({ has: page.getByRole("button", { name: /^Close /, expanded: true }) })
    .first();
  await long.getByRole("button", { name: /^Show all [\d,]+ lines, 269k characters/ }).click();
  await expect(long.getByText("line 600 of a long output")).toBeAttached();
  const images = await openScenario(page, "image");
  await images.press("j");
  await expect(page.locator("article:focus h2")).toBeVisible();
  await images.press("e");
  const image = images.rows.locator("img").first();
  await expect(image).toBeVisible();
  expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
});

test("search finds what only the archive has", async ({ page }) => {
  await page.goto(
    `${server.url}/search?q=${encodeURIComponent('"line 600 of a long output"')}#t=${server.token}`,
  );
  await expect(page.getByText("line 600 of a long output").first()).toBeVisible();
});

/** Runs `backscroll restore` as its command on the page says. */
function restore(command: string, to: string): SpawnSyncReturns<string> {
  const [, , id = "", , , ...flags] = command.split(" ");
  return spawnSync(process.execPath, [CLI, "restore", id, "--to", to, ...flags], {
    encoding: "utf8",
    env: { ...process.env, BACKSCROLL_SERVER: builtServer() },
  });
}

test("a restored session has its files byte by byte, and what is there is never written over", async () => {
  const to = join(folder, "restored");
  for (const name of ["bash", "task-one", "todos"]) {
    const session = scenarios[name]?.session;
    if (!session) continue;
    const { restoreCommand } = await api<SessionDetail>(`sessions/${session}`);
    expect(restoreCommand).toContain(
      `backscroll restore ${session} --to ${claudeDir} --claude-dir ${claudeDir}`,
    );
    const first = restore(restoreCommand ?? "", to);
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/^Restored \d+ files?, [\d.]+ [kMG]?B, to /);
    const again = restore(restoreCommand ?? "", to);
    expect(again.status).toBe(2);
    expect(again.stderr).toContain("is there already. Nothing was written");
    const own = filesIn(before).filter((path) => path.includes(session));
    const written = filesIn(to).filter((path) => path.includes(session));
    expect(written).toEqual(own);
  }
  expect(filesIn(to).length).toBeGreaterThan(3);
  for (const path of filesIn(to)) {
    const [written, was] = [join(to, path), join(before, path)].map((one) => readFileSync(one));
    expect(written?.equals(was as Buffer), relative(to, path)).toBe(true);
  }
});

test("another start still has them, and a log that comes back is read from disk", async ({ page }) => {
  await server.stop();
  const next = await startServer({ claudeDirs: [claudeDir], dataDir: join(folder, "data") });
  try {
    // It answers from its first moment, and waits for what is kept where all is to be counted.
    const headers = { ...ALONE, authorization: `Bearer ${next.token}` };
    const report = await fetch(`${next.url}/api/doctor?format=text`, { headers });
    expect(await report.text()).toMatch(/^kept: \d+ sessions \(\d+ files, .*only in the archive/m);
    const id = scenarios["task-one"]?.session ?? "";
    const detail = () => api<SessionDetail>(`sessions/${id}`, next);
    await expect.poll(async () => (await detail()).storage).toBe("archive");
    await page.goto(`${next.url}/sessions/${id}#t=${next.token}`);
    await new SessionPage(page).ready();
    const command = (await detail()).restoreCommand ?? "";
    expect(restore(command, claudeDir).stderr).toBe("");
    await expect.poll(async () => (await detail()).storage).toBe("both");
    expect((await detail()).restoreCommand).toBeNull();
  } finally {
    await next.stop();
  }
});

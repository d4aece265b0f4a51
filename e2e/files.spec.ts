import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, type Locator, type Page } from "@playwright/test";
import { namesInZip } from "@/lib/testing/library/exports";
import { LogWriter } from "@/lib/testing/log-writer";
import type { FileVersion } from "@/lib/wire/files";
import { SessionPage } from "./pages/session-page";
import { seriousViolationsAtOtherWidth, seriousViolationsIn } from "./support/accessibility";
import { EDITED_SESSION, EditedLog } from "./support/edited-log";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { ask, builtServer } from "./support/server";
import { test } from "./support/test";

/** `tui-rewind-code` of 2.1.330: three files changed, then rewound with the code. */
const SCENARIO = "tui-rewind-code";
const FOLDER = "/home/dev/tui-rewind-code";
const HELLO = `${FOLDER}/hello.py`;

/** A session that makes a comment of a file's lines. */
const COMMENTED = "ed170000-0000-4000-8000-000000000001";
const COMMENTED_FILE = "/home/dev/shop/src/commented.ts";
/** A session that reads one line of a file. */
const PARTLY = "ed170000-0000-4000-8000-000000000002";
const PARTLY_FILE = "/home/dev/shop/cart.ts";

let logs: EditedLog[] = [];

let server: RecordedServer;
let session = "";
test.beforeAll(async () => {
  logs = [
    new EditedLog(60),
    new EditedLog(2, { around: ["/*", "*/"], session: COMMENTED, path: COMMENTED_FILE }),
  ];
  writePartly();
  server = await serveRecordings(["2.1.330"], { claudeDirs: logs.map(({ dir }) => dir) });
  const { scenarios } = JSON.parse(readFileSync(join(server.recordings[0].dir, "manifest.json"), "utf8"));
  session = scenarios[SCENARIO].session ?? scenarios[SCENARIO].sessions[0];
});
test.afterAll(async () => {
  await server.stop();
  for (const log of logs) log.remove();
});

function writePartly(): void {
  const log = join(logs[0]?.dir ?? "", "projects", "-home-dev-shop", `${PARTLY}.jsonl`);
  const writer = new LogWriter(log, "root");
  writer.prompt("Read a line of it");
  const content = "export const total = 0;";
  const file = { filePath: PARTLY_FILE, content, numLines: 1, startLine: 10, totalLines: 60 };
  const read = writer.call("Read", { file_path: PARTLY_FILE, offset: 10, limit: 1 });
  writer.result(read, `10\t${content}`, { toolUseResult: { type: "text", file } });
}

const link = (query: string) => `${server.url}/sessions/${session}?${query}#t=${server.token}`;
const fileLink = (more = "") => link(`view=changes&file=${encodeURIComponent(HELLO)}${more}`);

/** The lines of the file as they are on screen. */
const linesOf = (page: Page) =>
  page.getByRole("region", { name: "The file" }).locator("[data-line] > span:last-child").allTextContents();

test("a file opens from the changes with its versions, and Back leads out of it", async ({ page }) => {
  await page.goto(link("view=changes"));
  await page
    .getByRole("article", { name: "hello.py", exact: true })
    .getByRole("button", { name: "Versions" })
    .click();
  const file = page.getByRole("region", { name: "File", exact: true });
  await expect(file.getByRole("heading", { name: "hello.py" })).toBeVisible();
  await expect(page).toHaveURL(/file=/);
  const slider = file.getByRole("slider", { name: "Version" });
  await expect(slider).toHaveAttribute("aria-valuetext", /v\d of /);
  const saving = page.waitForEvent("download");
  await file.getByRole("button", { name: "Save this version" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("hello.py");
  expect(readFileSync(await saved.path(), "utf8").split("\n")).toContain('    print("Helo, " + name)');
  const savingAll = page.waitForEvent("download");
  await file.getByRole("button", { name: "Save all files as they were then" }).click();
  expect(namesInZip(readFileSync(await (await savingAll).path()))).toContain("hello.py");
  await page.goBack();
  await expect(page.getByRole("region", { name: "Changes" })).toBeVisible();
  await page.goForward();
  await expect(slider).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Changes" })).toBeVisible();
});

test("the versions are gone through by key, and the address says which is shown", async ({ page }) => {
  await page.goto(fileLink());
  const versions = page.getByRole("navigation", { name: "Files and versions" });
  // The last one is what the rewind put back, which no log tells of.
  await expect(versions.getByText("put back to v0")).toBeVisible();
  await expect.poll(() => linesOf(page)).toContain('    print("Helo, " + name)');
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/version=/);
  await expect.poll(() => linesOf(page)).not.toContain('    print("Helo, " + name)');
  const lines = await linesOf(page);
  const address = page.url();
  // Be it before the address says which it is.
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => linesOf(page)).not.toEqual(lines);
  await page.keyboard.press("ArrowLeft");
  // Which it does a moment later: a reload before that shows what it still says.
  await expect(page).toHaveURL(address);
  await page.reload();
  await expect.poll(() => linesOf(page)).toEqual(lines);
  await expect(page).toHaveURL(/version=/);
  const compare = page.getByRole("region", { name: "Compare" });
  await expect(compare.getByRole("group", { name: "Compared version" })).toHaveText("v1");
  await expect(compare.getByRole("group", { name: "Shown version" })).toHaveText("v2");
  await expect(compare.getByText("@@ 1,6 @@")).toBeVisible();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page).toHaveURL(/against=/);
});

test("a version whose text was still on its way to the comparison is drawn when it is there", async ({
  page,
}) => {
  let asked = 0;
  let answer = () => {};
  const isTime = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const isFile = (url: URL) => url.pathname.endsWith("/file");
  await page.route(isFile, async (route) => {
    asked += 1;
    // The first one is the version that is shown with the one before it, the second one what else that is compared with.
    if (asked === 2) await isTime;
    await route.continue().catch(() => undefined);
  });
  await page.goto(fileLink());
  await expect.poll(() => linesOf(page)).toContain('    print("Helo, " + name)');
  await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(() => asked).toBe(2);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  // Now it is the shown one, with who wrote its lines.
  await expect.poll(() => asked).toBeGreaterThan(2);
  answer();
  await expect.poll(() => linesOf(page)).not.toContain('    print("Helo, " + name)');
});

test("a version is asked for once, with who wrote its lines and what it is compared with, however long that takes", async ({
  page,
}) => {
  const asked: string[] = [];
  const isFile = (url: URL) => /\/(file|blame)$/.test(url.pathname);
  await page.route(isFile, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    asked.push(`${pathname.split("/").at(-1)} ${[...searchParams.keys()].toSorted().join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue().catch(() => undefined);
  });
  await page.goto(fileLink());
  await expect.poll(() => linesOf(page)).toContain('    print("Helo, " + name)');
  const compare = page.getByRole("region", { name: "Compare" });
  await expect(compare.getByRole("group", { name: "Shown version" })).toHaveText("v3");
  await expect(compare.getByText("@@", { exact: false }).first()).toBeVisible();
  expect(asked.splice(0)).toEqual(["file against at blame path"]);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => linesOf(page)).not.toContain('    print("Helo, " + name)');
  await expect(compare.getByText("@@ 1,6 @@")).toBeVisible();
  expect(asked).toEqual(["file against at blame path"]);
});

test("a version is there again on the way back and forward, however quickly it was left", async ({
  page,
}) => {
  await page.goto(link("view=changes"));
  await page
    .getByRole("article", { name: "hello.py", exact: true })
    .getByRole("button", { name: "Versions" })
    .click();
  const slider = page.getByRole("slider", { name: "Version" });
  await expect(slider).toHaveAttribute("aria-valuetext", /^v3 of/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await new SessionPage(page).ready();
  await page.goBack();
  await expect(slider).toHaveAttribute("aria-valuetext", /^v1 of/);
  await expect(page).toHaveURL(/version=/);
  await page.keyboard.press("ArrowRight");
  // Back to where the file was opened from.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Changes" })).toBeVisible();
  await expect(page).not.toHaveURL(/version=/);
  await page.goForward();
  await expect(slider).toHaveAttribute("aria-valuetext", /^v2 of/);
});

test("a drag over the versions ends with the text and the address of the last one", async ({ page }) => {
  await page.goto(fileLink());
  const slider = page.getByRole("slider", { name: "Version" });
  await expect(page.getByRole("region", { name: "The file" }).locator("[data-line]").first()).toBeVisible();
  const { x, y, width, height } = (await slider.boundingBox())!;
  await page.mouse.move(x + width * 0.9, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.1, y + height / 2, { steps: 20 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute("aria-valuetext", /^v0 of/);
  await expect(page.getByRole("group", { name: "Shown version" })).toBeHidden();
  // While it was under way the address may have said another one.
  const path = `sessions/${session}/file-versions?path=${encodeURIComponent(HELLO)}`;
  const [first] = await ask<FileVersion[]>(server, path);
  await expect(page).toHaveURL((url) => url.searchParams.get("version") === first?.id);
  const lines = await linesOf(page);
  await page.reload();
  await expect(slider).toHaveAttribute("aria-valuetext", /^v0 of/);
  await expect.poll(() => linesOf(page)).toEqual(lines);
});

test("the list has every version, with the shown one in view, also where the files are known before", async ({
  page,
}) => {
  await page.goto(`${server.url}/sessions/${EDITED_SESSION}?view=changes#t=${server.token}`);
  await page.getByRole("button", { name: "Versions" }).click();
  const list = page.getByRole("navigation", { name: "Files and versions" });
  const shown = list.locator('button[aria-current="true"]');
  await expect(shown).toContainText("v60");
  await expect(shown).toBeInViewport();
  for (let step = 0; step < 40; step++) await page.keyboard.press("ArrowLeft");
  await expect(shown).toContainText("v20");
  await expect(shown).toBeInViewport();
  // What a reader has scrolled to is drawn, and stays.
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(list.getByText("v60", { exact: true })).toBeInViewport();
  // The address says it a moment after the last step.
  await expect(page).toHaveURL(/version=/);
  await page.reload();
  await expect(shown).toContainText("v20");
  await expect(shown).toBeInViewport();
  const foot = page.getByRole("contentinfo");
  for (const hint of ["compared version", "blame", "row that made it", "all files"])
    await expect(foot).toContainText(hint);
  await expect(foot).not.toContainText("back to the thread");
});

test("a comparison is in the colours of the whole texts", async ({ page }) => {
  const path = encodeURIComponent(COMMENTED_FILE);
  await page.goto(`${server.url}/sessions/${COMMENTED}?view=changes&file=${path}#t=${server.token}`);
  const compare = page.getByRole("region", { name: "Compare" });
  const commented = compare.getByText("const value6 = 6;", { exact: true });
  await expect(commented).toHaveClass(/text-fg-3/);
  await expect(compare.getByText("const value7 = 1 * 2;")).toBeVisible();
  await expect(compare.locator(".text-a-magenta")).toHaveCount(0);
});

test("a line says who wrote it, and leads to the row and back", async ({ page }) => {
  await page.goto(fileLink());
  await expect(page.getByRole("region", { name: "The file" }).locator("[data-line]").first()).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  const written = page.locator('[data-line][data-how="wrote"]').first();
  await written.getByRole("button", { name: /^Line / }).click();
  await expect(page).toHaveURL(/line=\d/);
  const compare = page.getByRole("region", { name: "Compare" });
  await expect(compare.getByText("Edit, main thread")).toBeVisible();
  await compare.getByRole("button", { name: "Open the row" }).click();
  const reader = new SessionPage(page);
  await reader.ready();
  await expect(page).not.toHaveURL(/file=/);
  // It was rewound, so it stands on another branch, which is shown.
  await expect(page).toHaveURL(/branch=/);
  await expect(reader.thread.locator('article[tabindex="0"]')).toContainText("hello.py");
  await page.goBack();
  const pointedAt = page.locator('[data-line] [aria-pressed="true"]');
  await expect(pointedAt).toBeVisible();
  // By keyboard alone as well: another line, and the row that wrote it.
  const line = (await pointedAt.getAttribute("aria-label")) ?? "";
  await page.keyboard.press("j");
  await expect(pointedAt).not.toHaveAttribute("aria-label", line);
  await page.keyboard.press("k");
  await expect(pointedAt).toHaveAttribute("aria-label", line);
  await page.keyboard.press("o");
  await expect(page).not.toHaveURL(/file=/);
  await expect(reader.thread.locator('article[tabindex="0"]')).toContainText("hello.py");
});

test("lines that are in no log are said where they are missing, over the margin as well", async ({
  page,
}) => {
  const query = `view=changes&file=${encodeURIComponent(PARTLY_FILE)}`;
  await page.goto(`${server.url}/sessions/${PARTLY}?${query}#t=${server.token}`);
  for (const missing of ["Lines 1–9 are not in the logs", "Lines 11–60 are not in the logs"])
    await page.getByRole("region", { name: "The file" }).getByText(missing).click({ trial: true });
});

test("the file's view has no serious finding of axe, wide and narrow, where who wrote the lines stays in view", async ({
  page,
}) => {
  await page.goto(fileLink());
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByRole("region", { name: "The file" }).locator("[data-line]").first()).toBeVisible();
    const found = width === 1440 ? seriousViolationsIn(page) : seriousViolationsAtOtherWidth(page);
    expect(await found, `at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  await test.step("who wrote the lines stays in view while the code is scrolled sideways", async () => {
    const file = page.getByRole("region", { name: "The file" });
    const margin = file.getByTitle(/^(Written|First seen) in /).first();
    const code = file.locator("[data-line] > span:last-child").first();
    const leftOf = async (part: Locator) => Math.round((await part.boundingBox())?.x ?? Number.NaN);
    await expect(margin).toBeVisible();
    const [marginPx, codePx] = [await leftOf(margin), await leftOf(code)];
    await file.evaluate((box) => box.scrollTo(24, 0));
    await expect.poll(() => leftOf(code)).toBe(codePx - 24);
    expect(await leftOf(margin)).toBe(marginPx);
  });
});

test("backscroll why tells where a line of a file is from", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-why-"));
  try {
    const path = join(folder, "greet_test.py");
    writeFileSync(path, 'one\n  assert capsys.readouterr().out == "Hello, Ada!\\n"\n');
    const cli = fileURLToPath(new URL("../bin/backscroll.mjs", import.meta.url));
    const shown = [...logs.map(({ dir }) => dir), server.recordings[0].claudeDir];
    const flags = [
      ...shown.flatMap((dir) => ["--claude-dir", dir]),
      "--data-dir",
      server.dataDir,
      "--no-archive",
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [cli, "why", `${path}:2`, ...flags], {
      env: { ...process.env, BACKSCROLL_SERVER: builtServer() },
    });
    expect(stdout).toContain("Written by Write");
    expect(stdout).toContain("greet_test.py");
    expect(stdout).toMatch(/link {5}http:\/\/127\.0\.0\.1:\d+\/sessions\//);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

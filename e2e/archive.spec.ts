import { execFile } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { ArchiveResponse, ArchiveSettings } from "@/lib/wire/archive";
import { ALONE, builtServer, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");
const SESSION = "projects/-home-dev-tui-basic/7ddc7f28-aa49-4789-9f52-4b284c158118.jsonl";

let folder = "";
let server: TestServer;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-archive-"));
  cpSync(fixtureFolder("2.1.42"), join(folder, "claude"), { recursive: true });
});
test.afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(dataDir: string, ...args: string[]): Promise<void> {
  server = await startServer({
    claudeDirs: [join(folder, "claude")],
    dataDir: join(folder, dataDir),
    args,
  });
}

async function answerOf<Body>(path: string): Promise<Body> {
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  return (await (await fetch(`${server.url}${path}`, { headers })).json()) as Body;
}

const status = () => answerOf<ArchiveResponse>("/api/archive");
const settings = () => answerOf<ArchiveSettings>("/api/archive/settings");

/** Until everything is kept that there is. */
async function filled(): Promise<ArchiveResponse> {
  await expect.poll(async () => (await status()).files).toBeGreaterThan(10);
  await expect.poll(async () => (await status()).filling).toBeNull();
  return status();
}

/** Not while this process waits: the server closes its connections in the meantime, of which it would not hear. */
function cli(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const places = ["--claude-dir", join(folder, "claude"), "--data-dir", join(folder, "data")];
  const env = { ...process.env, BACKSCROLL_SERVER: builtServer() };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...places, ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test("what is read is kept and said so, follows what is written, and the command line works on it", async () => {
  await serve("data");
  await expect.poll(server.errors).toContain(`what it reads is kept in ${join(folder, "data", "archive")}`);
  const before = await filled();
  expect(before).toMatchObject({ enabled: true, keptOnly: 0, problems: [] });
  appendFileSync(join(folder, "claude", SESSION), '{"type":"mode","mode":"x"}\n');
  await expect.poll(async () => (await status()).bytes).toBe(before.bytes + 27);
  rmSync(join(folder, "claude", SESSION));
  await expect.poll(async () => (await status()).keptOnly).toBe(1);

  expect((await cli("archive")).stdout).toContain(`${before.files} files of`);
  expect(JSON.parse((await cli("archive", "--json")).stdout)).toMatchObject({
    files: before.files,
    keptOnly: 1,
  });
  expect(await cli("archive", "verify")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("all as they were kept"),
  });
  expect((await cli("archive", "export", join(folder, "copy"))).stdout).toContain(
    `Copied ${before.files} files`,
  );
  expect(await cli("archive", "import", join(folder, "claude"))).toMatchObject({ status: 2 });
  expect((await cli("archive", "export", join(folder, "claude/x"))).stderr).toContain("lies among the logs");

  const listed = await cli("archive", "remove", "7ddc7f28");
  expect(listed.stdout).toContain("nowhere else");
  expect(listed.stdout).toContain("Nothing was removed. --yes removes 1 session");
  expect((await status()).keptOnly).toBe(1);
  expect((await cli("archive", "remove", "7ddc7f28", "--yes")).stdout).toContain("Removed 1 session");
  expect(await status()).toMatchObject({ keptOnly: 0, files: before.files - 1 });
  expect((await cli("archive", "remove", "7ddc7f28")).stderr).toContain(
    "nothing that is kept is called that",
  );
  expect((await cli("archive", "import", join(folder, "copy"))).status).toBe(0);
  expect((await cli("archive", "remove", "7ddc7f28")).stdout).toContain("nowhere else");
});

test("the settings say what is kept and where, turn it off and limit it", async ({ page }) => {
  await serve("data");
  await filled();
  await page.goto(`${server.url}/#t=${server.token}`);
  await page.getByRole("contentinfo").getByRole("button", { name: "Settings" }).click();
  const archive = page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "Archive" });
  await expect(archive).toContainText(join(folder, "data", "archive"));
  await expect(archive).toContainText("Every session is still on disk too.");
  await archive.getByRole("button", { name: "Off" }).click();
  await expect.poll(async () => (await status()).enabled).toBe(false);
  await archive.getByRole("button", { name: "On", exact: true }).click();
  await expect.poll(async () => (await status()).enabled).toBe(true);
  const limit = archive.getByRole("textbox", { name: "Grow to at most" });
  await limit.fill("0.000001");
  await limit.press("Enter");
  // What is written before that is saved is still kept.
  await expect.poll(async () => (await settings()).maxStoredBytes).toBe(1_000);
  appendFileSync(join(folder, "claude", SESSION), '{"type":"mode","mode":"x"}\n');
  await expect(archive).toContainText("The archive has reached its limit");
  await limit.fill("");
  await limit.press("Enter");
  await expect(archive).not.toContainText("The archive has reached its limit");
  await archive.getByRole("combobox", { name: "Leave out a project" }).selectOption("/home/dev/tui-basic");
  await archive.getByRole("button", { name: "Leave out" }).click();
  await expect(archive.getByRole("button", { name: "Keep /home/dev/tui-basic again" })).toBeVisible();
});

// What the settings say then: archive-setting.test.
test("without an archive nothing is kept", async () => {
  await serve("other", "--no-archive");
  expect(await status()).toMatchObject({ enabled: false, path: null });
  expect(server.errors()).toBe("");
  expect(existsSync(join(folder, "other", "archive"))).toBe(false);
});

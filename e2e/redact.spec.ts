import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { plantSecrets } from "@/lib/testing/secrets";
import { SessionPage } from "./pages/session-page";
import { violationsIn } from "./support/accessibility";
import { copiedBy } from "./support/clipboard";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const ID = "00000000-0000-4000-8000-000000000018";
const PLANTED = plantSecrets(18, 1);
const [GITHUB = "", NPM = ""] = ["github-token", "npm-token"].map(
  (kind) => PLANTED.find((planted) => planted.kind === kind)?.secret ?? "",
);

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

let server: TestServer;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-secrets-"));
  const project = join(folder, "projects", "-home-marlowe-shop");
  mkdirSync(project, { recursive: true });
  const line = (n: number, content: string) =>
    JSON.stringify({
      ...{
        type: "user",
        uuid: `u${n}`,
        parentUuid: n === 0 ? null : `u${n - 1}`,
        sessionId: ID,
        version: "2.1.330",
      },
      ...{ cwd: "/home/marlowe/shop", timestamp: `2026-01-02T03:04:0${n}.000Z` },
      message: { role: "user", content },
    });
  const lines = [
    `Log in with ${GITHUB}`,
    `Then publish with ${NPM}, not ${GITHUB}`,
    "And tell carla.meyer@posteo.de",
  ];
  writeFileSync(join(project, `${ID}.jsonl`), `${lines.map((text, n) => line(n, text)).join("\n")}\n`);
  server = await startServer({ claudeDirs: [folder] });
});

test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("an export says what it replaces, and leaves what is excepted", async ({ page }) => {
  await page.goto(`${server.url}/sessions/${ID}#t=${server.token}`);
  await new SessionPage(page).ready();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("checkbox", { name: "Redact secrets" }).check();
  await expect(dialog.getByRole("status")).toHaveText(
    "2 secrets and 2 pieces of personal data will be replaced.",
  );
  const listed = dialog.getByRole("list", { name: "What is replaced" });
  await expect(listed.getByRole("listitem")).toHaveCount(4);
  await expect(dialog).not.toContainText(GITHUB.slice(8));
  expect(await violationsIn(page)).toEqual([]);
  await listed.getByRole("checkbox", { name: /e-mail address/ }).uncheck();
  const copied = await copiedBy(page, () => dialog.getByRole("button", { name: "Copy as Markdown" }).click());
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download Markdown" }).click();
  const path = join(folder, "redacted.md");
  await (await download).saveAs(path);
  const text = readFileSync(path, "utf8");
  expect(copied).toBe(text);
  expect(text).toContain("Then publish with [npm-token 1], not [github-token 1]");
  expect(text).toContain("And tell carla.meyer@posteo.de");
  // The home folder is ~ unless that is unticked.
  expect(text).toContain("\n~/shop · ");
  expect(text).not.toContain("/home/");
  for (const secret of [GITHUB, NPM, "marlowe"]) expect(text).not.toContain(secret);
});

test("the doctor looks for secrets when asked, and leads to where they are", async ({ page }) => {
  await page.goto(`${server.url}/doctor#t=${server.token}`);
  await page.getByRole("button", { name: "Look for secrets" }).click();
  await page.getByRole("button", { name: /GitHub token/ }).click();
  const places = page.getByRole("group", { name: "GitHub token" });
  await expect(places.getByRole("link")).toHaveCount(2);
  await expect(page.getByRole("list", { name: "Sessions with secrets" })).toContainText("3 secrets");
  await expect(page.locator("main")).not.toContainText(GITHUB.slice(8));
  expect(await violationsIn(page)).toEqual([]);
  await places.getByRole("link").first().click();
  await new SessionPage(page).ready();
  await expect(page).toHaveURL(new RegExp(`/sessions/${ID}`));
});

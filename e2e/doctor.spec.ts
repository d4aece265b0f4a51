import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import { seriousViolationsInBothSchemes } from "./support/accessibility";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const OLDER = fixtureFolder("older");
const BEACON = "0b000000-0000-4000-8000-00000000bbb1";
const DAMAGED = "00000000-0000-4000-8000-000000000001";

let server: TestServer;
let damaged: string;

test.beforeAll(async () => {
  damaged = mkdtempSync(join(tmpdir(), "backscroll-damaged-"));
  const folder = join(damaged, "projects", "-home-dev-shop");
  mkdirSync(folder, { recursive: true });
  const good = {
    type: "user",
    uuid: "u1",
    parentUuid: null,
    sessionId: "s",
    timestamp: "2026-01-02T03:04:05.000Z",
  };
  const line = JSON.stringify({ ...good, message: { role: "user", content: "good" } });
  // An agent's records inside the main log, as 1.0.128 writes them.
  const agent = [
    { ...good, uuid: "s1", isSidechain: true, message: { role: "user", content: "look around" } },
    {
      ...good,
      type: "assistant",
      uuid: "s2",
      parentUuid: "s1",
      isSidechain: true,
      message: { id: "m1", role: "assistant", content: [{ type: "hologram" }] },
    },
  ];
  const sidechain = agent.map((one) => JSON.stringify(one)).join("\n");
  writeFileSync(join(folder, `${DAMAGED}.jsonl`), `${line}\n\0\0\0\0\nnot JSON\n${sidechain}\n`);
  server = await startServer({ claudeDirs: [OLDER, damaged] });
});

test.afterAll(async () => {
  await server.stop();
  rmSync(damaged, { recursive: true, force: true });
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}${path}#t=${server.token}`);
  await expect(page.getByRole("heading", { name: "Findings" })).toBeVisible();
}

test("a damaged line is found, and its position links to its row, or to the thread of its agent", async ({
  page,
}) => {
  await open(page, "/doctor");
  expect(await page.title()).toBe("Diagnostics · Backscroll");
  await page.getByRole("button", { name: /Unreadable bytes/ }).click();
  const positions = page.getByRole("group", { name: "Unreadable bytes" });
  await expect(positions.getByRole("row").nth(1)).toContainText("4 NUL bytes");
  await test.step("the page has no serious accessibility violations", async () => {
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  });
  await positions.getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${DAMAGED}`));
  await expect(page.getByText("line 2: The line is 4 NUL bytes")).toBeVisible();

  await test.step("a position inside an agent's thread links to that thread", async () => {
    await page.goBack();
    await page.getByRole("button", { name: /Content blocks of a type that is not known/ }).click();
    const unknown = page.getByRole("group", { name: /^Content blocks of a type/ });
    await unknown.getByRole("link", { name: /^00000000/ }).click();
    await expect(page).toHaveURL(/agent=side/);
    const row = page.locator("article[data-record-id]").filter({ hasText: "hologram" });
    await expect(row).toHaveAttribute("tabindex", "0");
  });
});

test("a single session is examined, and its extra files can be read", async ({ page }) => {
  await open(page, `/doctor?session=${BEACON}`);
  const tools = page.getByRole("group", { name: "Tool calls by client version" });
  await expect(tools.getByRole("rowheader").first()).toHaveText("Bash");
  await page.getByRole("button", { name: /plans\/patient-tuning-hopper\.md/ }).click();
  await expect(page.getByText("1. Rename the function.")).toBeVisible();
});

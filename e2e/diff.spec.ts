import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { CallLog } from "./support/call-log";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const SESSION = "10000000-0000-4000-8000-000000000002";
/** Far more lines than are sent with an opened call. */
const LINES = 9_000;

let folder: string;
let server: TestServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-diff-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const log = new CallLog(join(project, `${SESSION}.jsonl`));
  const original = Array.from({ length: LINES }, (_, n) => `const value${n + 1} = "line ${n + 1} of it";`);
  log.prompt("Change one line in the middle");
  log.edit("long.ts", original, 5_000, 'const value5000 = "changed";');
  for (let n = 0; n < 80; n++) log.say(`Goodbye ${n}.`);
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the lines around a change in a long file are loaded on request, and stay until the row is closed", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    const range = new URL(request.url()).searchParams.get("original");
    if (range) asked.push(range);
  });
  const session = await SessionPage.open(page, server, SESSION);
  const row = session.rows.filter({ hasText: "long.ts" });
  await session.open(row);
  await expect(row.getByText("all 4,998 unchanged lines")).toBeVisible();
  expect(asked).toEqual([]);
  const above = row.getByRole("button", { name: "20 above" }).first();
  await above.click();
  await expect(row.getByText('const value4979 = "line 4979 of it";')).toBeVisible();
  await expect(row.getByText("value4978 ")).toHaveCount(0);
  await test.step("a gap that was opened is open when the reader comes back to the row", async () => {
    const line = row.getByText('const value4979 = "line 4979 of it";');
    const { height } = (await row.boundingBox()) ?? {};
    // The selected row stays in the page, so another one is selected.
    await session.rows.filter({ hasText: "Goodbye 0." }).click();
    await session.scrollTo(1);
    await expect(row).toHaveCount(0);
    await session.scrollTo(0);
    await expect(line).toBeVisible();
    expect((await row.boundingBox())?.height).toBe(height);
  });

  await row.getByRole("button", { name: "20 more" }).first().click();
  await expect(row.getByText('const value1 = "line 1 of it";')).toBeVisible();
  expect(asked).toEqual(["4979-4998", "1-20"]);
  // The rest of the file, to its last line; a large gap expands in steps.
  await row.getByRole("button", { name: "all 3,999 unchanged lines" }).click();
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]).toBe("5002-9000");

  await test.step("closing the row closes its gaps", async () => {
    for (const words of [/^Close /, /^Open /])
      await row.getByRole("button", { name: words }).first().dispatchEvent("click");
    await expect(row.getByText("all 4,998 unchanged lines")).toBeVisible();
    await expect(row.getByText('const value4979 = "line 4979 of it";')).toHaveCount(0);
  });
});

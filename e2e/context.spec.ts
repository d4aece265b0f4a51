import { expect } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { RowsResponse } from "@/lib/wire/rows";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { violationsIn } from "./support/accessibility";
import { ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/** A 2.1.330 session with recorded requests. */
const RECORDED = "bc3eabb5-f3f0-40ee-93ba-9144e383217c";
/** A session compacted twice by hand (scenario tui-basic). */
const COMPACTED = "d24b4655-31b5-4f4d-aba5-fa3789108ffb";
/** A 2.0.76 session, whose client records no requests. */
const REBUILT = "bcdf60d2-e6d0-47da-8505-e1c657444ca6";

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ claudeDirs: [fixtureFolder("2.1.330"), fixtureFolder("2.0.76")] });
});
test.afterAll(() => server.stop());

const link = (path: string) => `${server.url}${path}#t=${server.token}`;

test("shows what the model was sent before a call, verified against the recorded request", async ({
  page,
}) => {
  const problems = await watchPolicy(page);
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${RECORDED}`));
  await session.ready();

  await test.step("a turn's brief opens below its header", async () => {
    await session.press("b");
    const brief = page.getByRole("region", { name: "Turn 1 in brief" });
    await expect(brief.getByText("Intent")).toBeVisible();
    await expect(brief.getByText("hello.py").first()).toBeVisible();
    await session.press("b");
    await expect(brief).toBeHidden();
  });

  await session.rows.filter({ hasText: "Edit" }).filter({ hasText: "hello.py" }).first().click();
  await session.press("c");
  const pane = page.getByRole("region", { name: "Context" });
  await expect(pane.getByText(/Recorded, (\d+) of \1 hashes verified/)).toBeVisible();
  await expect(page).toHaveURL(/panes=context:/);
  // What the API counted comes first, with its share of the model's window.
  await expect(pane.getByText(/^[\d.]+k tokens sent, \d+ % of 1M; .*in \d+ messages?/)).toBeVisible();

  await pane.getByRole("button", { name: /^System prompt/ }).click();
  await pane.getByRole("button", { name: /^Tools/ }).click();
  await expect(pane.getByRole("button", { name: /^Bash/ }).first()).toBeVisible();

  await pane.getByRole("button", { name: "By size" }).click();
  await pane.getByRole("button", { name: "All", exact: true }).click();
  await pane.getByRole("button", { name: /you First prompt/ }).click();
  // The client’s own parts come first, and the current detail level hides their records.
  const record = pane.getByText("In the thread:").getByRole("link").last();
  const recordId = (await record.textContent()) ?? "";
  await record.click();
  await expect(session.row(recordId).first()).toBeInViewport();

  expect(await violationsIn(page, 'section[aria-label="Context"]')).toEqual([]);
  await pane.getByRole("button", { name: "Close context" }).click();
  await expect(pane).toBeHidden();
  await expect(page).not.toHaveURL(/panes=/);
  expect(problems).toEqual([]);
});

test("without recorded requests the messages are rebuilt, with a note on what is missing", async ({
  page,
}) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${REBUILT}`));
  await session.ready();
  await (await session.openableRowOnScreen()).click();
  await session.press("c");
  const pane = page.getByRole("region", { name: "Context" });
  await expect(pane.getByText("Rebuilt from the records")).toBeVisible();
  // The same number as the API's, and below it what of it the log can show.
  await expect(
    pane.getByText(/^[\d.]+k tokens sent, .*; ≈[\d.]+k? are in the log, in \d+ messages?/),
  ).toBeVisible();
  await expect(pane.getByText("not in the log")).toHaveCount(1);
});

test("a link opens the pane, as a sheet on a narrow page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { rows } = await ask<RowsResponse>(server, `sessions/${RECORDED}/rows?count=50`);
  const recordId = rows.find((row) => JSON.stringify(row).includes("hello.py"))?.recordId;
  await page.goto(link(`/sessions/${RECORDED}?panes=context:${recordId}`));
  const pane = page.getByRole("region", { name: "Context" });
  await expect(pane.getByText(/hashes verified/)).toBeVisible();
  expect((await pane.boundingBox())?.width).toBe(390);
  // What lies over the page has the focus, which goes back to the thread behind it.
  await expect(pane).toBeFocused();
  await pane.getByRole("button", { name: "Record", exact: true }).click();
  await expect(page.getByRole("region", { name: "Inspector" })).toBeFocused();
  await page.keyboard.press("i");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a compaction links to the contexts before and after it", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${COMPACTED}?detail=tools`));
  await session.ready();
  const row = session.rows.filter({ hasText: "Compacted" }).first();
  await row.getByRole("button", { name: "Context before the compaction" }).click();
  const pane = page.getByRole("region", { name: "Context" });
  await expect(pane.getByText(/^What the model was sent before it wrote/)).toBeVisible();
  const before = new URL(page.url()).searchParams.get("panes");
  await row.getByRole("button", { name: "Context after the compaction" }).click();
  await expect(pane.getByText("replaced by a compaction’s summary")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("panes")).not.toBe(before);
});

import { expect, type Page } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "./pages/session-page";
import { violationsIn } from "./support/accessibility";
import { ALONE, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/** Logs of clients before 1.0, with lines marked as deleted or truncated. */
const OLDER = fixtureFolder("older");

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ claudeDirs: [OLDER] });
});
test.afterAll(() => server.stop());

async function openSession(page: Page, id: string, detail = "tools"): Promise<SessionPage> {
  return SessionPage.open(page, server, `${id}?detail=${detail}`);
}

async function sessionIds(): Promise<string[]> {
  const headers = { ...ALONE, authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/api/sessions?limit=200`, { headers });
  return ((await answer.json()) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
}

/** The server answers before it has listed all sessions. */
async function idLike(part: string): Promise<string> {
  await expect.poll(async () => (await sessionIds()).join(" ")).toContain(part);
  return (await sessionIds()).find((id) => id.includes(part)) ?? "";
}

test("deleted and truncated lines are tagged and dimmed, in their rows and in the outline", async ({
  page,
}) => {
  const session = await openSession(page, await idLike("2025-01-29T14-15-30"));
  const deleted = session.rows.filter({ has: page.locator('[data-marks="deleted"]') });
  await deleted.first().scrollIntoViewIfNeeded();
  await expect(deleted.getByText("deleted", { exact: true })).toBeVisible();
  const colours = await deleted.first().evaluate((row) => {
    const heading = row.querySelector("h2") ?? row;
    const style = getComputedStyle(document.documentElement);
    const probe = document.createElement("span");
    probe.style.color = style.getPropertyValue("--fg-3");
    document.body.append(probe);
    const quiet = getComputedStyle(probe).color;
    probe.remove();
    return [getComputedStyle(heading).color, quiet];
  });
  expect(colours[0]).toBe(colours[1]);
  await expect(
    page.getByRole("complementary").getByRole("button").filter({ hasText: "deleted" }).first(),
  ).toBeVisible();
  const aborted = session.rows.filter({ has: page.locator('[data-marks="aborted"]') });
  await expect(aborted.getByText("cut off", { exact: true })).toBeVisible();
  expect(await violationsIn(page)).toEqual([]);
});

test("a call whose result was cleared from the context later says so", async ({ page }) => {
  const session = await openSession(page, await idLike("0b000000"));
  const cleared = session.rows.filter({ has: page.getByText("cleared", { exact: true }) });
  await expect(cleared).toHaveCount(2);
  await expect(cleared.first()).toContainText("login.py");
  await cleared
    .first()
    .getByRole("button", { name: /^Open /, expanded: false })
    .click();
  await expect(cleared.first().getByText("result later cleared from the context")).toBeVisible();
});

import { expect } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { test } from "./support/test";

const FORK = "a8d41c4e-b7f2-4cb4-ad3a-520cb70e05c0";
const WORKFLOW = "fee95939-c100-44e9-a57a-84d3f5dcdfd3";
const PLANNED = "a3890ecc-06b7-4596-8c1c-8f898d750c3e";

let server: RecordedServer;

test.beforeAll(async () => {
  server = await serveRecordings(["2.1.330", "2.1.29"]);
});
test.afterAll(() => server.stop());

const link = (path: string) => `${server.url}${path}#t=${server.token}`;

test("a project's tokens are added up, and records repeated by a fork count once", async ({ page }) => {
  const problems = await watchPolicy(page);
  await page.goto(link("/"));
  const bar = page.getByRole("banner");
  await expect(bar.getByText(/^\d+ sessions · \d+ projects · .* tok · \$[\d.]+$/)).toBeVisible();
  const projects = page.getByRole("navigation", { name: "Sections" });
  if (await projects.getByRole("button", { name: /^\d+ more$/ }).isVisible())
    await projects.getByRole("button", { name: /^\d+ more$/ }).click();
  await projects.getByRole("link", { name: /^resume/ }).click();
  const total = bar.getByText(/^4 sessions · .* tok · \$[\d.]+$/);
  await expect(total).toHaveAttribute("title", /Messages shared by forks count once\.$/);

  await page.goto(link(`/sessions/${FORK}`));
  await expect(page.getByText(/^51k tok\s*· 25k own$/)).toHaveAttribute(
    "title",
    /^50,686 tokens, .*; 25,260 of them in messages shared with other sessions$/,
  );
  expect(problems).toEqual([]);
});

test("each agent of a workflow opens beside the thread from its row", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${WORKFLOW}`));
  await session.ready();
  const row = session.rows.filter({ hasText: "look-around" }).first();
  for (const name of ["look:code", "look:quick", "check"]) {
    await row.getByRole("button", { name: `Open ${name} beside`, exact: true }).click();
    await expect(page).toHaveURL(/panes=.*agent/);
    await expect(page.getByRole("region", { name: `Agent ${name}`, exact: true })).toBeVisible();
  }
});

test("a plan's call links to its result in the next session, and back", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${PLANNED}`));
  await session.ready();
  await expect(session.thread.getByText("plan mode")).toBeVisible();
  await page.getByRole("link", { name: "result in the next session" }).click();
  await expect(session.rows.filter({ hasText: "Result of ExitPlanMode" })).toBeVisible();
  await page.getByRole("link", { name: "from the previous session" }).first().click();
  await expect(page).toHaveURL(new RegExp(PLANNED));
  await expect(page.getByRole("link", { name: "result in the next session" })).toBeVisible();
});

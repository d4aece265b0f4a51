import { type Browser, expect, type Page } from "@playwright/test";
import { type AnnotationsResponse, WRITER_HEADER } from "@/lib/wire/annotations";
import type { RowsResponse } from "@/lib/wire/rows";
import type { CreatedShare } from "@/lib/wire/shares";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { seriousViolationsIn } from "./support/accessibility";
import { liveFolder, openLive, SESSION } from "./support/live-folder";
import { ALONE, ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
let remove: () => void;

test.beforeAll(async () => {
  let dir: string;
  ({ dir, remove } = liveFolder());
  server = await startServer({ claudeDirs: [dir] });
});
test.afterAll(async () => {
  await server.stop();
  remove();
});

const pane = (page: Page) => page.getByRole("region", { name: "Comments" });
const said = (page: Page, text: string) =>
  pane(page).getByRole("article", { name: "Comment" }).getByText(text, { exact: true });

async function openGuest(browser: Browser, { path, token }: CreatedShare): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}#t=${token}`);
  await new SessionPage(page).ready();
  return page;
}

/** Comments on the row with these words, under a name. */
async function write(page: Page, row: string, text: string): Promise<void> {
  await new SessionPage(page).rows.filter({ hasText: row }).first().click();
  await page.keyboard.press("a");
  await pane(page).getByRole("textbox", { name: "Comment" }).fill(text);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(said(page, text)).toBeVisible();
}

async function edit(page: Page, text: string): Promise<void> {
  await pane(page).getByRole("button", { name: "Edit" }).click();
  await pane(page).getByRole("textbox", { name: "Edit the comment" }).fill(text);
  await page.keyboard.press("ControlOrMeta+Enter");
}

test("each guest edits and deletes what they wrote, and nobody else's; with the link all of that ends", async ({
  page,
  browser,
}) => {
  const problems = await watchPolicy(page);
  const body = { sessionId: SESSION, comments: true };
  const share = await ask<CreatedShare>(server, "shares", { method: "POST", body });
  const [anna, bo] = [await openGuest(browser, share), await openGuest(browser, share)];
  const secrets: string[] = [];
  for (const one of [anna, bo])
    one.on("request", async (request) => {
      const secret = await request.headerValue(WRITER_HEADER);
      if (secret) secrets.push(secret);
    });
  await write(anna, "Prompt 1", "Annas words");
  await bo.getByRole("button", { name: "Comments, 1 open" }).click();
  await expect(said(bo, "Annas words")).toBeVisible();
  for (const name of ["Edit", "Delete"]) await expect(pane(bo).getByRole("button", { name })).toHaveCount(0);
  await write(bo, "Turn 1, line 2", "Bos words");
  // Each has one of the two to change.
  for (const one of [anna, bo]) {
    await expect(said(one, "Annas words")).toBeVisible();
    await expect(said(one, "Bos words")).toBeVisible();
    await expect(pane(one).getByRole("button", { name: "Edit" })).toHaveCount(1);
  }
  expect(await seriousViolationsIn(anna)).toEqual([]);

  // On a narrow screen the comments cover the thread, but not the bar above it, where a guest gives their name.
  const wide = bo.viewportSize();
  await bo.setViewportSize({ width: 390, height: 844 });
  await bo.getByRole("button", { name: "Say who you are" }).click();
  await bo.getByRole("textbox", { name: "Your name" }).fill("Bo");
  await bo.keyboard.press("Enter");
  await expect(bo.getByRole("button", { name: "You are Bo" })).toBeFocused();
  await expect(pane(bo)).toBeInViewport();
  // The lines of a comment are seen where the comments were.
  await pane(bo).getByTitle("Go to these lines").first().click();
  await expect(pane(bo)).toHaveCount(0);
  await expect(new SessionPage(bo).rows.filter({ hasText: "Prompt 1" }).first()).toBeInViewport();
  await bo.setViewportSize(wide ?? { width: 1200, height: 800 });
  await bo.keyboard.press("A");
  await expect(pane(bo)).toBeVisible();

  // It is the browser that is known, also after a reload and in another tab of it.
  await anna.reload();
  await expect(said(anna, "Annas words")).toBeVisible();
  await edit(anna, "Better words");
  await expect(said(bo, "Better words")).toBeVisible();
  await expect(said(anna, "Better words")).toBeVisible();

  // Nobody is told of a secret, and one's own is of no use for what another wrote.
  const seen = await ask<AnnotationsResponse>(server, `annotations?session=${SESSION}`);
  expect(secrets.length).toBeGreaterThan(1);
  for (const secret of new Set(secrets)) expect(JSON.stringify(seen)).not.toContain(secret);
  const hers = seen.annotations.find(({ body: text }) => text === "Better words")?.id ?? "";
  const asGuest = (method: string, secret: string | null) =>
    fetch(`${server.url}/api/annotations/${hers}`, {
      method,
      headers: {
        authorization: `Bearer ${share.token}`,
        "content-type": "application/json",
        ...(secret ? { [WRITER_HEADER]: secret } : {}),
      },
      ...(method === "PATCH" ? { body: JSON.stringify({ body: "taken over" }) } : {}),
    }).then(({ status }) => status);
  const bos = await bo.evaluate(
    () => Object.entries(localStorage).find(([key]) => key.startsWith("backscroll.writer"))?.[1] ?? null,
  );
  expect(bos).toMatch(/^[0-9a-f]{64}$/);
  for (const secret of [null, bos, "0".repeat(64)])
    for (const method of ["PATCH", "DELETE"]) expect(await asGuest(method, secret)).toBe(403);

  // What others have replied to stays.
  await openLive(page, server, "?panes=comments");
  const article = pane(page).getByRole("article", { name: "Comment" }).filter({ hasText: "Better words" });
  await article.getByRole("button", { name: "Reply" }).click();
  await pane(page).getByRole("textbox", { name: "Reply" }).fill("The owner answers");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(said(anna, "The owner answers")).toBeVisible();
  await pane(anna).getByRole("button", { name: "Delete" }).click();
  await pane(anna).getByRole("button", { name: "Delete it" }).click();
  await expect(anna.getByText("Others have replied to this comment, so it stays")).toBeVisible();
  await pane(bo).getByRole("button", { name: "Delete" }).click();
  await pane(bo).getByRole("button", { name: "Delete it" }).click();
  await expect(said(anna, "Bos words")).toHaveCount(0);
  await expect(said(page, "Better words")).toBeVisible();

  // The owner may do all; and with the link every right ends.
  await article.getByRole("button", { name: "Edit" }).first().click();
  await pane(page).getByRole("textbox", { name: "Edit the comment" }).fill("The owners words");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(said(anna, "The owners words")).toBeVisible();
  await ask(server, `shares/${share.id}`, { method: "DELETE" });
  await expect(anna.getByText("This link has ended")).toBeVisible();
  for (const method of ["PATCH", "DELETE"]) expect(await asGuest(method, secrets[0] ?? null)).toBe(401);
  expect(
    await anna.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("backscroll.writer"))),
  ).toEqual([]);
  expect(problems).toEqual([]);
  for (const one of [anna, bo]) await one.context().close();
});

test("what a guest exports holds the comments where their link is for those, and they are told where it is not", async () => {
  const { rows } = await ask<RowsResponse>(server, `sessions/${SESSION}/rows?count=10`);
  const prompt = rows.find(({ kind }) => kind === "turn");
  const target = { sessionId: SESSION, recordId: prompt?.recordId, block: prompt?.block };
  await ask(server, "annotations", {
    method: "POST",
    body: { id: "for-the-export", kind: "comment", body: "Ask anna@acme.io", target },
  });
  const exported = async (comments: boolean) => {
    const body = { sessionId: SESSION, comments, redact: true };
    const { path, token } = await ask<CreatedShare>(server, "shares", { method: "POST", body });
    const id = path.split("/").at(-1);
    return fetch(`${server.url}/api/sessions/${id}/export?format=md&comments=1&tilde=1`, {
      headers: { ...ALONE, authorization: `Bearer ${token}` },
    });
  };
  const text = await (await exported(true)).text();
  expect(text).toContain("> _Comment · the person who shared this · ");
  expect(text).toContain("> Ask [email 1]");
  const refused = await exported(false);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { code: "bad-parameter", message: "This link is not for comments" },
  });
});

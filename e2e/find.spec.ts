import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import type { SearchResponse } from "@/lib/wire/search";
import { SessionPage } from "./pages/session-page";
import { startServer, type TestServer } from "./support/server";

const SHORT = "f1d00000-0000-4000-8000-000000000001";
const LONG = "f1d00000-0000-4000-8000-000000000002";
/** The hit after the first one lies across the edge of its snippet, which ends after 240 characters. */
const CUT = `retry ${"a word ".repeat(40)}`.slice(0, 239).concat("retry again, or not");

let folder: string;
let server: TestServer;
let short: LogWriter;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-find-"));
  const project = join(folder, "projects", "-home-dev-bench");
  mkdirSync(project, { recursive: true });
  short = new LogWriter(join(project, `${SHORT}.jsonl`));
  short.prompt("Please retry the Größe of the 😀 tools");
  short.say("The **retry** backs off: see `retry.ts`, and concatenate the cat.", CUT);
  const failing = short.call("Bash", { command: "npm test -- retry", description: "Run the tests" });
  const output = "FAIL größe.test.ts\nRetried twice, with 3 tools";
  const content = [{ type: "tool_result", tool_use_id: failing, content: output, is_error: true }];
  short.result(failing, output, { message: { role: "user", content }, toolUseResult: `Error: ${output}` });
  short.say("Nothing here but a tool that failed, and no second try");
  const long = new LogWriter(join(project, `${LONG}.jsonl`));
  long.prompt("Count the walrus");
  long.say(...Array.from({ length: 1200 }, (_, n) => `walrus ${n}`));
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const link = (path: string) => `${server.url}${path}${path.includes("#") ? "" : `#t=${server.token}`}`;
const count = (page: Page) => page.getByRole("status");

const byText = (a: string | null, b: string | null) => (a ?? "").localeCompare(b ?? "");

type Mark = { text: string; row: string | null; chrome: boolean };

/** What the page marks: each text, its row, and whether it is something that the page itself says. */
function marksOn(page: Page): Promise<Mark[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("find") ?? [])].map((range) => {
      const element = (range as Range).startContainer.parentElement;
      return {
        text: (range as Range).toString(),
        row: element?.closest<HTMLElement>("[data-record-id]")?.dataset.recordId ?? null,
        chrome: element?.closest("button, .select-none, [data-log=none]") !== null,
      };
    }),
  );
}

/** Rows whose lines are among these, by the line that each begins with. */
function rowsOf(page: Page, keys: readonly string[]): Promise<string[]> {
  return page.locator("[data-record-id]").evaluateAll(
    (rows, wanted) =>
      rows.flatMap((row) => {
        const { recordId = "", block, shows = "" } = (row as HTMLElement).dataset;
        return [`${recordId}.${block}`, ...shows.split(" ")].some((key) => wanted.includes(key))
          ? [recordId]
          : [];
      }),
    keys,
  );
}

async function hitsOf(q: string): Promise<SearchResponse["hits"]> {
  const hits: SearchResponse["hits"] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ q, session: SHORT, limit: "500", ...(cursor && { cursor }) });
    const response = await fetch(`${server.url}/api/search?${query}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const page = (await response.json()) as SearchResponse;
    hits.push(...page.hits);
    cursor = page.nextCursor;
  }
  return hits;
}

const QUERIES: readonly [query: string, found: RegExp | null][] = [
  ["retry", /^retry$/i],
  ["größe", /^größe$/i],
  ["😀", /^😀$/u],
  ["retry backs", /^(retry|backs)$/i],
  ["retry -backs", /^retry$/i],
  ["retry in:output", null],
  ["tools", /^tools$/i],
  ["Bash OR tok OR turn", null],
  ["/retr\\w+/", /^retr\w+$/i],
  ["/\\bcat\\b/", /^cat$/i],
  ["/^the/", /^the$/i],
  ["/gr.ße/", /^gr.ße$/i],
  ["/[retry/", null],
];

test("what is marked is what was found, and nothing else, in rows and opened blocks", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${SHORT}`));
  await session.ready();
  await session.press("j", "e");
  await expect(page.getByText("Retried twice, with 3 tools")).toBeVisible();
  const field = page.getByRole("searchbox", { name: "Find in session" });
  await session.press("/");
  for (const [q, found] of QUERIES) {
    await field.fill(q);
    const hits = (await hitsOf(q)).filter(({ field: name }) => name !== "meta" && name !== "title");
    const rows = await rowsOf(
      page,
      hits.map(({ recordId, block }) => `${recordId}.${block}`),
    );
    await expect
      .poll(async () => [...new Set((await marksOn(page)).map(({ row }) => row))].toSorted(byText), {
        message: q,
      })
      .toEqual([...new Set(rows)].toSorted(byText));
    const marks = await marksOn(page);
    expect(marks.filter(({ chrome }) => chrome)).toEqual([]);
    if (found) expect(marks.filter(({ text }) => !found.test(text))).toEqual([]);
    expect(marks.length > 0, q).toBe(found !== null);
  }
});

test("a word that a snippet's edge cut is no word to look for", async ({ page }) => {
  await page.goto(link(`/sessions/${SHORT}?q=retry`));
  await new SessionPage(page).ready();
  await expect.poll(async () => (await marksOn(page)).length).toBeGreaterThan(4);
  expect((await marksOn(page)).filter(({ text }) => text.length < 5)).toEqual([]);
});

test("the minimap has every hit, and the count too", async ({ page }) => {
  await page.goto(link(`/sessions/${LONG}?q=walrus`));
  await new SessionPage(page).ready();
  await expect(count(page).filter({ hasText: /^1,201$/ })).toBeVisible();
  const finds = page.locator("svg[data-rows] path.fill-accent");
  // Marks lie closer than they are high, down to the last row.
  await expect
    .poll(async () => {
      const ys = [...((await finds.getAttribute("d")) ?? "").matchAll(/M38 ([\d.]+)/g)].map((found) =>
        Number(found[1]),
      );
      const height = Number(await page.locator("svg[data-rows]").getAttribute("height"));
      const gaps = ys.slice(1).map((y, at) => y - (ys[at] ?? 0));
      return ys.length > 0 && Math.max(...gaps) < 8 && (ys.at(-1) ?? 0) > height - 10;
    })
    .toBe(true);
});

test("what is written while one looks for it is found", async ({ page }) => {
  await page.goto(link(`/sessions/${SHORT}?q=zebra&follow=1`));
  await new SessionPage(page).ready();
  await expect(count(page).filter({ hasText: "No results" })).toBeVisible();
  short.say("A zebra crosses");
  await expect(count(page).filter({ hasText: /^1$/ })).toBeVisible();
  await expect.poll(async () => (await marksOn(page)).map(({ text }) => text)).toEqual(["zebra"]);
});

test("a result says its turn, its tool and that it failed", async ({ page }) => {
  await page.goto(link("/search?q=retried"));
  const result = page.getByRole("list", { name: "Results" }).getByRole("link");
  await expect(result).toHaveCount(1);
  await expect(result).toContainText("Bash out");
  await expect(result).toHaveAccessibleName(/^turn 1 failed: Bash out/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("retried");
  const option = page.getByRole("option", { name: /Bash out/ });
  await expect(option).toContainText("failed · turn 1");
});

test("filters alone have results in the palette", async ({ page }) => {
  await page.goto(link("/"));
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("is:error ");
  await expect(page.getByRole("option", { name: /npm test -- retry/ })).toBeVisible();
  await expect(
    page
      .getByRole("dialog")
      .getByRole("status")
      .filter({ hasText: /^1 result · / }),
  ).toBeVisible();
});

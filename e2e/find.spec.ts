import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import type { SearchResponse } from "@/lib/wire/search";
import { SessionPage } from "./pages/session-page";
import { ALONE, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const SHORT = "f1d00000-0000-4000-8000-000000000001";
const DEEP = "f1d00000-0000-4000-8000-000000000003";
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
  writeDeep(new LogWriter(join(project, `${DEEP}.jsonl`)));
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Texts in which one finds something far down, or in what is folded away. */
const DEEP_FINDS = [
  "needle-prompt",
  "needle-answer",
  "needle-output",
  "needle-middle",
  "needle-line",
  "needle-file",
  "needle-json",
  "needle-run",
  "needle-report",
  "needle-launch",
  "needle-updated",
  // Last, as all of it stays on the page.
  "needle-huge",
] as const;

const lines = (count: number, at: number, find: string, word = "line") =>
  Array.from({ length: count }, (_, n) => `${word} ${n}${n === at ? ` has the ${find}` : ""}`).join("\n");

function writeDeep(log: LogWriter): void {
  log.prompt(lines(900, 890, "needle-prompt", "please read"));
  log.say(lines(1500, 1490, "needle-answer", "I have read").replaceAll("\n", "\n\n"));
  const bash = (output: string, command = "make") => {
    log.result(log.call("Bash", { command, description: "Run it" }), output, {
      toolUseResult: { stdout: output, stderr: "" },
    });
    log.say("Done.");
  };
  bash(lines(75, 70, "needle-output"));
  bash(lines(3_000, 1_500, "needle-middle"));
  // Further down than the marks of a row go to which the reader has not gone.
  bash(lines(20_000, 15_000, "needle-huge", "a longer line of the output"));
  bash(`${"x".repeat(60_000)} needle-line ${"y".repeat(10_000)}`);
  const written = log.call("Write", { file_path: "/tmp/a.ts", content: lines(900, 870, "needle-file") });
  log.result(written, "The needle-updated file was written.");
  log.say("Written.");
  const nested = { a: { b: { c: { d: { e: { f: ["deep", "the needle-json"] } } } } } };
  const mcp = log.call("mcp__things__get", { id: 1 });
  log.result(mcp, "", {
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: mcp, content: JSON.stringify(nested) }],
    },
  });
  for (let n = 0; n < 5; n++)
    log.result(log.call("Read", { file_path: `/tmp/${n}.ts` }), lines(400, n === 2 ? 350 : -1, "needle-run"));
  log.say("Read.");
  const agent = log.startAgent("a0d1e2f3a4b5c6d7", "Look around");
  agent.say("I looked.");
  const report = lines(300, 290, "needle-report").replaceAll("\n", "\n\n");
  log.prompt(
    `<task-notification>\n<task-id>a0d1e2f3a4b5c6d7</task-id>\n<status>completed</status>\n<summary>Agent "Look around" finished</summary>\n<result>${report}</result>\n</task-notification>`,
  );
  log.say("All is known.");
  // Its row shows the agent, and not what the client answered the model with.
  const launch = log.call("Agent", { description: "Look again", prompt: "Look", subagent_type: "Explore" });
  log.result(launch, "Async agent launched, needle-launch. The agent is working in the background.", {
    toolUseResult: { isAsync: true, status: "async_launched", agentId: "a0d1e2f3a4b5c6d8" },
  });
  // So many rows that those above leave the page at its end.
  log.say(...Array.from({ length: 60 }, (_, n) => `Goodbye ${n}.`));
}

const link = (path: string) => `${server.url}${path}${path.includes("#") ? "" : `#t=${server.token}`}`;
const count = (page: Page) => page.getByRole("status");

const byText = (a: string | null, b: string | null) => (a ?? "").localeCompare(b ?? "");

type Mark = { text: string; row: string | null; chrome: boolean };

/**
 * What the page marks: each text, its row, and whether it is something that the page itself says. A range whose text
 * has just been drawn anew is empty and marks nothing.
 */
function marksOn(page: Page): Promise<Mark[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("find") ?? [])]
      .filter((range) => !range.collapsed)
      .map((range) => {
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
      headers: { ...ALONE, authorization: `Bearer ${server.token}` },
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
  await expect(page.locator("pre").getByText("Retried twice, with 3 tools")).toBeVisible();
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
        intervals: [40],
      })
      .toEqual([...new Set(rows)].toSorted(byText));
    const marks = await marksOn(page);
    expect(marks.filter(({ chrome }) => chrome)).toEqual([]);
    if (found) expect(marks.filter(({ text }) => !found.test(text))).toEqual([]);
    expect(marks.length > 0, q).toBe(found !== null);
  }

  await test.step("a word that a snippet's edge cut is no word to look for", async () => {
    await field.fill("retry");
    await expect.poll(async () => (await marksOn(page)).length).toBeGreaterThan(4);
    expect((await marksOn(page)).filter(({ text }) => text.length < 5)).toEqual([]);
  });

  await test.step("what is written while one looks for it is found", async () => {
    await field.fill("zebra");
    await expect(count(page).filter({ hasText: "No results" })).toBeVisible();
    short.say("A zebra crosses");
    await expect(count(page).filter({ hasText: /^1$/ })).toBeVisible();
    await session.scrollTo(1);
    await expect.poll(async () => (await marksOn(page)).map(({ text }) => text)).toEqual(["zebra"]);
  });
});

test("the minimap has every hit, and the count too", async ({ page }) => {
  await page.goto(link(`/sessions/${LONG}?q=walrus`));
  await new SessionPage(page).ready();
  await expect(count(page).filter({ hasText: /^1,201$/ })).toBeVisible();
  const finds = page.locator("svg[data-rows] path[data-marks=finds]");
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

  await test.step("filters alone have results in the palette", async () => {
    await page.getByRole("combobox").fill("is:error ");
    await expect(page.getByRole("option", { name: /npm test -- retry/ })).toBeVisible();
    await expect(
      page
        .getByRole("dialog")
        .getByRole("status")
        .filter({ hasText: /^1 result · / }),
    ).toBeVisible();
  });
});

/** The mark of the hit that find has gone to, if it is in view of the thread. */
function currentInView(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get("find-current") ?? [])] as Range[];
    const list = range?.startContainer.parentElement?.closest(".overflow-y-auto");
    const mark = range?.getClientRects()[0];
    if (!range || !list || !mark) return null;
    const { top, bottom, left, right } = list.getBoundingClientRect();
    const isIn = mark.top >= top && mark.bottom <= bottom && mark.left >= left && mark.right <= right;
    const above = document.elementFromPoint(mark.left + 2, mark.top + mark.height / 2);
    return isIn && above?.contains(range.startContainer) ? range.toString() : null;
  });
}

/** What more is done where one of them was found. */
const THEN: Partial<Record<string, [step: string, act: (session: SessionPage) => Promise<void>]>> = {
  "needle-middle": ["a reader who scrolls on is not brought back", expectLeftAlone],
  "needle-huge": ["what was shown whole is whole when the reader comes back to it", expectStillWhole],
};

test("find shows the text itself, however far down or folded away", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${DEEP}?detail=tools`));
  await session.ready();
  const field = page.getByRole("searchbox", { name: "Find in session" });
  for (const find of DEEP_FINDS) {
    await session.press("/");
    await field.fill(find);
    // Where `expect` has to wait it describes the page, which takes long with a huge text on it.
    await count(page).filter({ hasText: /^1$/ }).waitFor();
    await field.press("Enter");
    await expect.poll(() => currentInView(page), { message: find, intervals: [40] }).toBe(find);
    const [step, act] = THEN[find] ?? [];
    if (!step || !act) continue;
    await session.thread.focus();
    await test.step(step, () => act(session));
  }
});

async function expectLeftAlone(session: SessionPage): Promise<void> {
  const { page } = session;
  await session.thread.hover();
  await page.mouse.wheel(0, -4_000);
  await expect.poll(() => currentInView(page)).toBeNull();
  const top = () => session.thread.evaluate((main) => main.scrollTop);
  const before = await top();
  // Frames in which it would have been.
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        let left = 20;
        const next = () => (left-- > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
  );
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  // The only hit is come back to when it is asked for again.
  await session.press("n");
  await expect.poll(() => currentInView(page)).toBe("needle-middle");
}

async function expectStillWhole(session: SessionPage): Promise<void> {
  const recordId = await session.rows.filter({ hasText: "needle-huge" }).getAttribute("data-record-id");
  const row = session.row(recordId ?? "");
  const top = await session.thread.evaluate((main) => main.scrollTop);
  // The selected row stays in the page, so another one is selected. By key: until a reader does something by hand, the
  // hit may still be on its way into view, and its text would be unfolded again.
  await session.press("j");
  await session.scrollTo(1);
  await expect(row).toHaveCount(0);
  await session.thread.evaluate((main, to) => {
    main.scrollTop = to;
  }, top);
  await expect(row).toContainText("needle-huge");
  // Closing the row folds its text again.
  for (const words of [/^Close /, /^Open /])
    await row.getByRole("button", { name: words }).first().dispatchEvent("click");
  await expect(row.getByRole("button", { name: /^Show all 20,000 lines/ })).toBeAttached();
}

test("a result that is opened in its session shows the text itself; a notification is one, as its row shows it", async ({
  page,
}) => {
  await page.goto(link("/search?q=needle-middle"));
  const result = page.getByRole("list", { name: "Results" }).getByRole("link");
  const query = page.getByRole("textbox", { name: "Search every session" });
  const expectOpened = async (find: string) => {
    await result.click();
    await expect.poll(() => currentInView(page), { message: find }).toBe(find);
    await page.goBack();
  };
  await expect(result).toHaveCount(1);
  await expectOpened("needle-middle");
  await query.fill("needle-report");
  await expect(result).toContainText("needle-report");
  await expect(result).toHaveCount(1);
  await expectOpened("needle-report");
  await query.fill("needle-report in:returned");
  await expect(page).toHaveURL(/in(:|%3A)returned/);
  await expect(result).toHaveCount(1);
  await expect(result).not.toContainText("<");
  await query.fill("finished");
  await expect(result).toContainText('Agent "Look around" finished');
  await expect(result).toHaveCount(1);
  await expectOpened("finished");
});

test("a link to a hit that its view leaves out opens with the least that shows it, and says nothing of a hidden record", async ({
  page,
  samples,
}) => {
  const id = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
  const told: string[] = [];
  await page.exposeFunction("tell", (text: string) => told.push(text));
  await page.addInitScript(() => {
    const note = (all: MutationRecord[]) => {
      for (const { addedNodes } of all)
        for (const node of addedNodes)
          if (/hidden in this view/.test(node.textContent ?? ""))
            (window as unknown as { tell: (text: string) => void }).tell(node.textContent ?? "");
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
  });
  const session = await SessionPage.open(page, samples, `${id}?detail=conversation&q=order&at=m~9mzz.0`);
  await expect(page.getByRole("button", { name: "Tools", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(session.row("m~9mzz").getByText("Orders for a small grocery shop.")).toBeInViewport();
  expect(told).toEqual([]);
});

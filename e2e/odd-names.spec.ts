import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
let folder: string;

/** A name that turns the text behind it around, and has a control character in it. */
const TURNED = "odd\u202e\u0007name";
const BLANKS = "00000000-0000-4000-8000-000000000001";
const ODD = "00000000-0000-4000-8000-000000000002";

/** A session in which whatever has a name has this one. */
function logsOf(id: string, name: string): Record<string, object[]> {
  const cwd = `/home/dev/${name}`;
  const line = (uuid: string, parentUuid: string | null, at: number, more: object) => ({
    ...{ uuid, parentUuid, cwd, gitBranch: name, sessionId: id, version: "2.1.110" },
    timestamp: `2026-11-20T10:00:${String(at).padStart(2, "0")}.000Z`,
    ...more,
  });
  const calls = (at: number, blocks: object[]) => ({
    type: "assistant",
    message: {
      ...{ id: `msg-${id}-${at}`, role: "assistant", model: name },
      content: blocks,
      usage: { input_tokens: 10, output_tokens: 20 },
    },
  });
  const toolUse = (key: string, tool: string, input: object) => ({
    ...{ type: "tool_use", id: `${key}-${id}`, name: tool, input },
  });
  const result = (key: string, content: string, more: object = {}) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: `${key}-${id}`, content }] },
    ...more,
  });
  const path = `${cwd}/${name}`;
  const agent = "a1";
  const slug = `projects/-home-dev-${id.slice(-1)}`;
  return {
    [`${slug}/${id}.jsonl`]: [
      line("p1", null, 1, { type: "user", message: { role: "user", content: `walrus ${name}` } }),
      line("c1", "p1", 2, calls(1, [toolUse("t1", name, { command: name })])),
      line("r1", "c1", 3, result("t1", "walrus")),
      line("c2", "r1", 4, calls(2, [toolUse("t2", "Write", { file_path: path, content: "walrus\n" })])),
      line(
        ...(["r2", "c2", 5] as const),
        result("t2", "File created", {
          toolUseResult: { type: "create", filePath: path, content: "walrus\n", structuredPatch: [] },
        }),
      ),
      line(
        "c3",
        "r2",
        6,
        calls(3, [toolUse("t3", "Agent", { description: name, prompt: "look", subagent_type: name })]),
      ),
      line("r3", "c3", 9, result("t3", "seen")),
      { type: "ai-title", aiTitle: name, sessionId: id },
    ],
    [`${slug}/${id}/subagents/agent-${agent}.jsonl`]: [
      line("ag", null, 7, {
        ...{ type: "user", isSidechain: true, agentId: agent },
        message: { role: "user", content: "look" },
      }),
      line("aa", "ag", 8, {
        ...calls(4, [{ type: "text", text: "walrus seen" }]),
        ...{ isSidechain: true, agentId: agent },
      }),
    ],
    [`${slug}/${id}/subagents/agent-${agent}.meta.json`]: [
      { agentType: name, description: name, toolUseId: `t3-${id}` },
    ],
  };
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-odd-names-"));
  for (const [path, lines] of Object.entries({ ...logsOf(BLANKS, " \u3164 "), ...logsOf(ODD, TURNED) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs in the page: what a tooltip or a label would show raw, and what there is to click with nothing to read on it. */
function oddities(): string[] {
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
  const seen = /[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
  const found: string[] = [];
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "aria-description", "alt", "placeholder"]) {
      const value = element.getAttribute(name);
      if (value !== null && raw.test(value)) found.push(`raw ${name}: ${JSON.stringify(value)}`);
    }
  }
  for (const control of document.querySelectorAll<HTMLElement>("a, button, [role=menuitem], label")) {
    if (!control.checkVisibility() || control.querySelector("svg, img, canvas, input[type=text]")) continue;
    const text = control.textContent ?? "";
    if (text !== "" && !seen.test(text)) found.push(`blank ${control.outerHTML.slice(0, 120)}`);
  }
  return [...new Set(found)].slice(0, 12);
}

type Place = {
  path: string;
  ready: string;
  /** What is gone on to from there, without another load: by a button's name or by a key. */
  next?: readonly { button?: string; key?: string; ready: string }[];
};

const PLACES: readonly Place[] = [
  { path: "/", ready: "main [role=row] a" },
  { path: "/search?q=walrus", ready: "main a[href*='/sessions/']" },
  {
    path: "/usage?by=tool",
    ready: "main table tbody tr",
    next: ["Project", "Agent", "Session"].map((button) => ({
      button,
      ready: `table[aria-label='Usage by ${button.toLowerCase()}'] tbody tr`,
    })),
  },
  { path: "/usage?view=prompts", ready: "main table tbody tr" },
  { path: "/prompts", ready: "main ol > li" },
  { path: "/files", ready: "main a" },
  { path: `/sessions/${ODD}?detail=everything&panes=agent:a1`, ready: "main article" },
  {
    path: `/sessions/${ODD}?view=graph`,
    ready: "canvas",
    next: [
      { key: "D", ready: "article[data-file]" },
      { key: "C", ready: "[aria-label='Context by request']" },
      { key: "w", ready: "[aria-label='Steps by time']" },
    ],
  },
  { path: `/sessions/${BLANKS}?detail=everything&panes=agent:a1`, ready: "main article" },
  { path: `/sessions/${BLANKS}?view=changes`, ready: "article[data-file]" },
];

async function opened(page: Page, path: string, ready: string): Promise<void> {
  await page.goto(`${server.url}${path}#t=${server.token}`);
  await expect(page.locator(ready).first()).toBeVisible();
  // A session's head comes by another way than what stands below it, and so does a pane.
  if (path.startsWith("/sessions/"))
    await expect(page.getByRole("button", { name: "How to resume" })).toBeVisible();
  if (path.includes("panes=")) await expect(page.getByText("walrus seen").first()).toBeVisible();
}

test("no tooltip or label has raw control characters, and nothing to click is blank", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.getByText("All sessions").first()).toBeVisible();
  await expect
    .poll(async () => {
      const health = await page.request.get(`${server.url}/api/health`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      return (await health.json()).indexing.done;
    })
    .toBe(true);
  for (const { path, ready, next = [] } of PLACES) {
    await opened(page, path, ready);
    expect.soft(await page.evaluate(oddities), path).toEqual([]);
    for (const { button, key = "", ready: nextReady } of next) {
      if (button) await page.getByRole("main").getByRole("button", { name: button, exact: true }).click();
      else await page.keyboard.press(key);
      await expect(page.locator(nextReady).first()).toBeVisible();
      expect.soft(await page.evaluate(oddities), `${path}, then ${button ?? key}`).toEqual([]);
    }
  }
});

test("a name of blanks alone is shown in words, and leads where others lead", async ({ page }) => {
  await opened(page, "/", "main [role=row] a");
  const row = page.locator(`main a[href*="${BLANKS}"]`).first();
  await expect(row).toContainText("walrus");
  await row.click();
  await expect(page.locator("main article").first()).toBeVisible();
  await expect(page.getByText("(blank name)").first()).toBeVisible();
});

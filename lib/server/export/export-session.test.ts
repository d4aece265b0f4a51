import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toPrintableJson } from "@/lib/format/text";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { exportedParts } from "@/lib/testing/library/exports";
import { toText } from "@/lib/testing/log-tree";
import { sharedRecording } from "@/lib/testing/recorded";
import { EXPORT_FORMAT_IDS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { Row } from "@/lib/wire/rows";
import type { LeftOut } from "@/lib/wire/shares";
import { createSessions } from "../session/sessions";
import { exportSession } from "./export-session";

const recording = sharedRecording("2.1.330");
const manifest = JSON.parse(readFileSync(join(recording.dir, "manifest.json"), "utf8"));
const id: string = manifest.scenarios["edit-file"].session;
const catalog = new Catalog([{ path: recording.claudeDir, kind: "config" }]);
const sessions = createSessions(catalog, { scan });

beforeAll(() => catalog.list());
afterAll(() => recording[Symbol.dispose]());

async function exported(format: ExportFormat, leftOut: readonly LeftOut[] = []): Promise<string> {
  const files = catalog.sessionFiles(id as never);
  const decoder = new TextDecoder();
  let text = "";
  const { pieces } = await exportSession(sessions, files, { format, leftOut });
  for await (const piece of pieces) text += typeof piece === "string" ? piece : decoder.decode(piece);
  return text;
}

/** A log of these lines as it is exported. */
async function exportedLog(
  format: ExportFormat,
  lines: readonly Record<string, unknown>[],
  beside: Record<string, readonly Record<string, unknown>[]> = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-export-"));
  try {
    const project = join(folder, "projects", "-home-dev-x");
    mkdirSync(project, { recursive: true });
    const id = "00000000-0000-4000-8000-000000000001";
    writeFileSync(join(project, `${id}.jsonl`), toText(lines));
    for (const [path, log] of Object.entries(beside)) {
      mkdirSync(join(project, id, dirname(path)), { recursive: true });
      writeFileSync(join(project, id, path), toText(log));
    }
    const own = new Catalog([{ path: realpathSync(folder), kind: "config" }]);
    await own.list();
    const [session] = own.summaries();
    const files = own.sessionFiles(session?.id as never);
    const pieces: Uint8Array[] = [];
    const exported = await exportSession(createSessions(own, { scan }), files, { format });
    for await (const piece of exported.pieces) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("log is the log, byte for byte", async () => {
  expect(await exported("log")).toBe(
    readFileSync(join(recording.claudeDir, "projects/-home-dev-shop", `${id}.jsonl`), "utf8"),
  );
});

test("md reads like the session", async () => {
  const text = await exported("md");
  expect(text).toContain("> Please do it. SCENARIO:edit-file");
  expect(text).toMatch(/- \*\*Edit\*\* `hello\.py` — \+1 −1/);
  expect(text.trimEnd()).toMatch(
    /The greeting is fixed, a test is added, and the README says how to run it\.$/,
  );
});

/** Lines of a thread, one after the other, and a text longer than any row has one. */
const AT = { timestamp: "2026-01-01T00:00:00.000Z", cwd: "/x", version: "2.1.330", sessionId: "s" };
const threadOf = (...lines: object[]) =>
  lines.map((line, n) => ({ ...AT, uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}`, ...line }));
const asked = (content: unknown, more = {}) => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
const said = (...content: object[]) => ({
  type: "assistant",
  message: { id: "m1", role: "assistant", model: "claude-x", content },
});
const long = (name: string) => `${`All of the ${name} is read. `.repeat(900)}To its end.`;

test("md contains every text in full, wherever it is and however it is shown", async () => {
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "A".repeat(1 << 21) },
  };
  const md = await exportedLog(
    "md",
    threadOf(
      asked(long("prompt")),
      said({ type: "thinking", thinking: long("thought") }, { type: "text", text: long("answer") }),
      asked([
        { type: "text", text: long("first block") },
        { type: "text", text: long("second block") },
      ]),
      asked(`<bash-stdout>${long("output")}\n</bash-stdout><bash-stderr>${long("warning")}</bash-stderr>`),
      { type: "system", subtype: "compact_boundary", content: "Conversation compacted" },
      asked(long("summary"), { isCompactSummary: true }),
      asked([{ type: "text", text: long("prompt with an image of two megabytes") }, image]),
      asked(
        `<system-reminder>Not typed</system-reminder>${long("typed part")}<ide_selection>Nor this</ide_selection>`,
      ),
      { type: "future", said: long("record of a later client") },
    ),
  );
  for (const name of [
    "prompt",
    "thought",
    "answer",
    "first block",
    "second block",
    "output",
    "warning",
    "summary",
    "prompt with an image of two megabytes",
    "typed part",
    "record of a later client",
  ])
    expect([name, md.split(long(name)).length - 1]).toEqual([name, 1]);
  expect(md).not.toContain("could not be read");
  expect(md.match(/^> .*Not typed/m)).toBeNull();
});

test("the page of an exported file contains all of a compaction's long summary", async () => {
  const html = await exportedLog(
    "html",
    threadOf(
      asked("before"),
      { type: "system", subtype: "compact_boundary", content: "Conversation compacted" },
      asked(long("summary"), { isCompactSummary: true }),
    ),
  );
  const lines = [...html.matchAll(/<script[^>]*type="application\/json"[^>]*>([^]*?)<\/script>/g)].map(
    ([, data = ""]) => data,
  );
  expect(lines.some((data) => data.includes("isCompactSummary") && data.includes(long("summary")))).toBe(
    true,
  );
});

test("md contains the whole report of an agent, also one that was handed back within a frame", async () => {
  const report = long("report").replaceAll(". ", ".\n");
  const frame = `[Subagent hand-back] The text below is the final report of agent a1. The report follows:\n${report.replace(/^/gm, "  ")}\nagentId: a1`;
  const use = { type: "tool_use", id: "t1", name: "Agent", input: { description: "Look", prompt: "Look" } };
  const result = { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: frame }] };
  const own = threadOf(asked("Go"), said(use), asked([result]));
  const agents = threadOf(asked("Look"), said({ type: "text", text: "Looked" })).map((line) => ({
    ...line,
    agentId: "a1",
    isSidechain: true,
  }));
  const toolUseResult = { agentId: "a1", status: "completed" };
  const md = await exportedLog("md", [...own.slice(0, 2), { ...own[2], toolUseResult }], {
    "subagents/agent-a1.jsonl": agents,
  });
  expect(md).toContain("returned");
  expect(md).toContain(`text\n${report}\n`);
});

test("md contains all of an answer whose characters have several bytes", async () => {
  const text = `${"読む".repeat(3_500)}終わり`;
  const md = await exportedLog("md", threadOf(asked("読んで"), said({ type: "text", text })));
  expect(md).toContain(text);
});

test("md contains all of a prompt that was removed from the queue, whose text is on another line", async () => {
  const queued = { type: "queue-operation", timestamp: AT.timestamp, sessionId: "s" };
  const md = await exportedLog("md", [
    ...threadOf(asked("Go"), said({ type: "text", text: "Going" })),
    { ...queued, operation: "enqueue", content: long("queued prompt") },
    { ...queued, operation: "remove" },
  ]);
  expect(md).toContain(`> ${long("queued prompt")}\n`);
  expect(md).not.toContain("could not be read");
});

test("md continues after an answer that was cut off in a block of code", async () => {
  const md = await exportedLog(
    "md",
    threadOf(
      asked("Write it"),
      said({ type: "text", text: "So:\n\n````js\nconst a = `1`;" }),
      asked("Go on"),
    ),
  );
  expect(md).toContain("const a = `1`;\n````\n\n## 2. Go on\n");
});

test("html continues after a prompt of very many lines", async () => {
  const html = await exportedLog("html", threadOf(asked("12345\n".repeat(80_000)), asked("Go on")));
  expect(html).toContain("<p>Go on</p>");
  expect(html.endsWith("</html>\n")).toBe(true);
});

test("json is the session and all its rows", async () => {
  const { session, rows } = JSON.parse(await exported("json"));
  expect(session.id).toBe(id);
  expect(rows.filter((row: Row) => row.kind === "turn")).toHaveLength(1);
});

test("messages end with the last answer, ready to be continued", async () => {
  const { messages } = JSON.parse(await exported("messages"));
  expect(messages[0].role).toBe("user");
  expect(messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: expect.stringMatching(/^The greeting is fixed/) }],
  });
});

test("html reads as the page does: Markdown, diffs, outputs, local times", async () => {
  const { shown: page } = exportedParts(await exported("html"));
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain("<script");
  expect(page).toMatch(/<details class="call" open><summary><b>Edit<\/b><code>hello\.py<\/code>/);
  expect(page).toMatch(/<div class="removed">.*<mark>/);
  expect(page).toMatch(/<details class="call"><summary><b>Read<\/b>/);
  expect(page).toContain('<pre class="out">');
  expect(page).not.toContain("branches from here");
  expect(page).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
  // Nothing but what it holds: no address of a script, a style, a font or an image.
  expect(page).not.toMatch(/\s(?:src|srcset|poster|action)=(?!"data:)/);
  expect(page).not.toMatch(/<(?:link|script|iframe|object|embed|base|form)\b|url\(|@import/);
});

test("html says what the link left out by which it was exported", async () => {
  const leftOutOf = (html: string) =>
    (exportedParts(html).data.get('id="session"') as { leftOut?: unknown }).leftOut;
  expect(leftOutOf(await exported("html", ["thinking"]))).toEqual(["thinking"]);
  expect(leftOutOf(await exported("html"))).toEqual([]);
});

test("html contains what its page requests: the session, rows, calls, the lines of cut texts", async () => {
  const { data } = exportedParts(await exported("html"));
  expect(data.get('id="session"')).toMatchObject({ id, turns: 1, agents: [] });
  const rows = data.get('data-rows=""') as Row[];
  const all: Row[] = JSON.parse(await exported("json")).rows;
  const shown = new Set(rows.map(({ key }) => key));
  // All that the detail "tools" shows, as the API gives it.
  expect(rows).toEqual(all.filter(({ key }) => shown.has(key)));
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["turn", "text", "tool"]));
  const calls = rows.filter(({ kind }) => kind === "tool");
  for (const { recordId, block } of calls)
    expect(data.get(`id="call ${recordId}.${block}"`)).toMatchObject({ recordId, block });
  expect(data.get('id="brief 1"')).toMatchObject({ turn: 1 });
});

test("html contains the full text once if its row has it cut", async () => {
  const long = `${"All of this is read. ".repeat(4_000)}To its end.`;
  const at = { timestamp: "2026-01-01T00:00:00.000Z", cwd: "/x", version: "2.1.330", sessionId: "s" };
  const html = await exportedLog("html", [
    { ...at, type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: long } },
  ]);
  const { data } = exportedParts(html);
  const lines = [...data].filter(([name]) => name.startsWith('id="line '));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(String(lines[0]?.[1])).message.content).toBe(long);
});

test("nothing from a log becomes markup, wherever it is", async () => {
  const hostile = `<script>alert(1)</script>"'\`<img src=x onerror=alert(2)> [x](javascript:alert(3)) ![y](http://a.test/p.png)`;
  const at = { timestamp: "2026-01-01T00:00:00.000Z", cwd: "/x", version: "2.1.330", sessionId: "s" };
  const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const answer = (id: string, isError: boolean) => ({
    ...at,
    type: "user",
    uuid: `r${id}`,
    parentUuid: "a1",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, is_error: isError, content: hostile }],
    },
  });
  const { shown: page, data } = exportedParts(
    await exportedLog("html", [
      { ...at, type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: hostile } },
      {
        ...at,
        type: "assistant",
        uuid: "a1",
        parentUuid: "u1",
        message: {
          id: "m1",
          role: "assistant",
          model: hostile,
          content: [
            { type: "thinking", thinking: hostile },
            { type: "text", text: hostile },
            call("t1", "Bash", { command: hostile }),
            call("t2", "Edit", { file_path: hostile, old_string: hostile, new_string: `${hostile}!` }),
            call("t3", hostile, { [hostile]: { [hostile]: hostile } }),
          ],
        },
      },
      answer("t1", false),
      answer("t2", true),
      answer("t3", false),
      { ...at, type: hostile, uuid: "x1", parentUuid: "a1" },
    ]),
  );
  // What the page draws holds it as it is, and no markup around it.
  expect(JSON.stringify([...data])).toContain(JSON.stringify(hostile).slice(1, -1));
  const tags = new Set([...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag?.toLowerCase()));
  for (const tag of ["script", "img", "iframe", "object", "form"]) expect(tags).not.toContain(tag);
  expect(page).toContain("&#60;script&#62;");
  for (const [, href] of page.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:#|https?:|mailto:)/);
  // No attribute but ours: whatever a tag has, it is one of these.
  const attributes = [...page.matchAll(/<[a-z][a-z0-9]*((?:\s+[^<>]*)?)>/gi)].flatMap(([, inside = ""]) =>
    [...inside.replace(/"[^"]*"/g, '""').matchAll(/([a-z-]+)(?:=|\s|$)/gi)].map(([, name]) => name),
  );
  expect(attributes.filter((name) => /^on/i.test(name ?? ""))).toEqual([]);
});

test("no control character is exported except in the log itself", async () => {
  const hostile = "say\u001b]0;title\u0007\u009b2J\u007f and\r\nstop\u2028there";
  const at = {
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/home/dev/x",
    version: "2.1.330",
    sessionId: "s",
  };
  const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: `echo ${hostile}` } };
  const lines = [
    { ...at, type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: hostile } },
    {
      ...at,
      type: "assistant",
      uuid: "a1",
      parentUuid: "u1",
      message: {
        id: "m1",
        role: "assistant",
        model: "m\u009b",
        content: [{ type: "text", text: hostile }, call],
      },
    },
  ];
  const texts: Record<string, string> = {};
  for (const format of EXPORT_FORMAT_IDS) texts[format] = await exportedLog(format, lines);
  const log = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { log: original, html, md, json, messages } = texts as Record<ExportFormat, string>;
  expect(original).toBe(log);
  expect([html, md, json, messages].join("").match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g)).toBeNull();
  for (const text of [html, md]) expect(text).toContain("say␛]0;title␇\\x9b2J␡ and\n");
  for (const text of [json, messages])
    expect(text).toContain("say\\u001b]0;title\\u0007\\u009b2J\\u007f and");
  expect(JSON.parse(messages).messages[0].content[0].text).toContain(hostile);
  expect(messages).toBe(`${toPrintableJson(JSON.parse(messages), 1)}\n`);
});

test("the facts of a session give the number of branches, of which the file shows one", async () => {
  const answer = (n: number) => ({ ...said({ type: "text", text: `answer ${n}` }) });
  const [first, second, left, leftAnswer] = threadOf(asked("first"), answer(1), asked("left"), answer(2));
  const other = { ...AT, uuid: "v1", parentUuid: "u1", ...asked("taken instead") };
  const lines = [first, second, left, leftAnswer, other].flatMap((line) => (line ? [line] : []));
  expect(await exportedLog("md", lines)).toContain(
    "· 3 turns, 0 tool calls on 2 branches, of which the active one is in this file",
  );
  expect(await exportedLog("md", lines.slice(0, 4))).toContain("· 2 turns, 0 tool calls");
});

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { unpackRecording } from "@/lib/testing/recorded";
import { EXPORT_FORMAT_IDS, type ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { Row } from "@/lib/wire/rows";
import { createSessions } from "../session/sessions";
import { rowToHtml } from "./export-html";
import { exportSession } from "./export-session";

const recording = unpackRecording("2.1.330");
const manifest = JSON.parse(readFileSync(join(recording.dir, "manifest.json"), "utf8"));
const id: string = manifest.scenarios["edit-file"].session;
const catalog = new Catalog([{ path: recording.claudeDir, kind: "config" }]);
const sessions = createSessions(catalog, { scan });

beforeAll(() => catalog.list());
afterAll(() => recording[Symbol.dispose]());

async function exported(format: ExportFormat): Promise<string> {
  const files = catalog.sessionFiles(id as never);
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of exportSession(sessions, files, format))
    text += typeof piece === "string" ? piece : decoder.decode(piece);
  return text;
}

test("jsonl is the log, byte for byte", async () => {
  expect(await exported("jsonl")).toBe(
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

test("json is the session and all its rows", async () => {
  const { session, rows } = JSON.parse(await exported("json"));
  expect(session.id).toBe(id);
  expect(rows.filter((row: Row) => row.kind === "turn")).toHaveLength(1);
});

test("messages end with the last answer, ready to be gone on from", async () => {
  const { messages } = JSON.parse(await exported("messages"));
  expect(messages[0].role).toBe("user");
  expect(messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: expect.stringMatching(/^The greeting is fixed/) }],
  });
});

test("html carries its own policy, and nothing of a log becomes markup", async () => {
  expect(await exported("html")).toContain("default-src 'none'");
  const row = { kind: "text", text: { text: '<script>alert(1)</script>"', cut: false, length: 25 } } as Row;
  expect(rowToHtml(row)).toBe("<pre>&#60;script&#62;alert(1)&#60;/script&#62;&#34;</pre>\n");
});

test("no control character leaves but in the log itself", async () => {
  const hostile = "say\u001b]0;title\u0007\u009b2J\u007f and\r\nstop";
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
  const folder = mkdtempSync(join(tmpdir(), "backscroll-export-"));
  try {
    const project = join(folder, "projects", "-home-dev-x");
    mkdirSync(project, { recursive: true });
    const path = join(project, "00000000-0000-4000-8000-000000000001.jsonl");
    const log = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(path, log);
    const own = new Catalog([{ path: realpathSync(folder), kind: "config" }]);
    await own.list();
    const [session] = own.summaries();
    const files = own.sessionFiles(session?.id as never);
    const queries = createSessions(own, { scan });
    const texts: Record<string, string> = {};
    for (const format of EXPORT_FORMAT_IDS) {
      const pieces: Uint8Array[] = [];
      for await (const piece of exportSession(queries, files, format)) pieces.push(Buffer.from(piece));
      texts[format] = Buffer.concat(pieces).toString();
    }
    const { jsonl, html, md, json, messages } = texts as Record<ExportFormat, string>;
    expect(jsonl).toBe(log);
    expect(
      [html, md, json, messages].join("").match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g),
    ).toBeNull();
    for (const text of [html, md]) expect(text).toContain("say␛]0;title␇\\x9b2J␡ and\n");
    for (const text of [json, messages])
      expect(text).toContain("say\\u001b]0;title\\u0007\\u009b2J\\u007f and");
    expect(JSON.parse(messages).messages[0].content[0].text).toContain(hostile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

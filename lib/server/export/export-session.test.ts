import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackRecording } from "@/e2e/support/recorded";
import type { Row } from "@/lib/wire/rows";
import { Catalog } from "../catalog/catalog";
import { scan } from "../session/scanned-session";
import { createSessions } from "../session/sessions";
import { rowToHtml } from "./export-html";
import { type ExportFormat, exportSession } from "./export-session";

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

// @vitest-environment page
import { beforeEach, expect, it, vi } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { readRowText } from "./row-text";

const SESSION = "s" as SessionId;
const ROW = { key: "m~10.0", recordId: "m~10", block: 0, turn: 1, atMs: 1, span: null, durationMs: null };
const text = (whole: string, kept = whole.length) => ({
  text: whole.slice(0, kept),
  cut: kept < whole.length,
  length: whole.length,
});

let answers: Record<string, unknown>;

beforeEach(() => {
  answers = {};
  vi.stubGlobal("fetch", async (path: string) => {
    const found = Object.entries(answers).find(([part]) => path.includes(part));
    if (found) return Response.json(found[1]);
    return Response.json({ error: { code: "gone", message: "The log is gone", hint: "" } }, { status: 404 });
  });
});

const copied = (row: object) => readRowText(SESSION, { ...ROW, ...row } as Row);

it("a prompt is copied as it was typed, its pastes without the client's tags", async () => {
  const prompt = 'Why?\n\n<pasted_content id="e6f3">\nline 1\nline 2\n</pasted_content id="e6f3">\n\n';
  expect(await copied({ kind: "turn", prompt: text(prompt) })).toBe("Why?\n\nline 1\nline 2");
});

it("an answer is copied as Markdown, all of it where the row has its beginning", async () => {
  const whole = `## Done\n\n${"- a point\n".repeat(400)}the end`;
  expect(await copied({ kind: "text", text: text("**Done**") })).toBe("**Done**");
  answers = { "records/m~10": { type: "assistant", message: { content: [{ type: "text", text: whole }] } } };
  expect(await copied({ kind: "text", text: text(whole, 600) })).toBe(whole);
});

it.each([
  [
    "a command for the shell as it was run",
    { command: "npm test -- retry", description: "Test" },
    "npm test -- retry",
  ],
  ["what an agent was told", { prompt: "Find the callers.", subagent_type: "Explore" }, "Find the callers."],
  [
    "any other input as JSON",
    { file_path: "/a.ts", limit: 3 },
    '{\n  "file_path": "/a.ts",\n  "limit": 3\n}',
  ],
])("a call is copied as %s", async (_, input, expected) => {
  answers = { "calls/m~10": { input } };
  expect(await copied({ kind: "tool" })).toBe(expected);
});

it("a command is copied by its name where it has no further text", async () => {
  expect(await copied({ kind: "event", label: "/compact", text: text("") })).toBe("/compact");
});

it("a fork, and a kind of a newer server, have no text", async () => {
  expect(await copied({ kind: "fork", branches: [] })).toBeNull();
  expect(await copied({ kind: "of-tomorrow" })).toBeNull();
});

it("throws what the server says where a call cannot be read", async () => {
  await expect(copied({ kind: "tool" })).rejects.toThrow("The log is gone");
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fixtureFolder } from "@/lib/testing/recorded";
import { detailOf, gathered, idOf, openFolder, rowsOf, transcriptOf } from "@/lib/testing/transcript";

const FIXTURE = fixtureFolder("from-the-future");
const UUID = "00000000-0000-4000-8000-0000000f0f0f";

test("what nobody knows yet is shown at tools", async () => {
  const folder = await openFolder(FIXTURE);
  expect(await transcriptOf(folder, UUID)).toEqual([
    "unknown era",
    "unknown no type",
    "turn 1: What is new?",
    "  unknown dream",
    "  unknown attachment/hologram",
    "  “Much is new.”",
    "  unknown smell",
    "  NoSuchTool year: {…}",
    "  [paradox resolved] The paradox was resolved.",
    "  [System] A notice without a subtype.",
    "turn 2: And what is old?",
    "  unknown thought",
    "  “An answer that is a string.”",
    "  thinks: ",
    "  unknown string",
    "  unknown number",
    "  unknown last-thought",
  ]);
  const { counts } = await detailOf(folder, idOf(folder, UUID));
  expect([counts.records, counts.unreadable, counts.unknown, counts.turns]).toEqual([14, 0, 5, 2]);
});

test("no two rows have one key", async () => {
  const folder = await openFolder(FIXTURE);
  const { rows } = await rowsOf(folder, idOf(folder, UUID), "everything");
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test("new progress is book-keeping, with its type", async () => {
  const folder = await openFolder(FIXTURE);
  expect((await transcriptOf(folder, UUID, "everything")).filter((line) => line.includes("·"))).toEqual([
    "  · progress/chronon_progress",
  ]);
});

const LEVELS = 100_000;
const nested = (inner: string) => `${"[".repeat(LEVELS)}${inner}${"]".repeat(LEVELS)}`;
const objects = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;

/** Every field that a row is made from, nested a hundred thousand levels deep. */
const DEEP: Record<string, string> = {
  "a type nobody knows": `{"type":"deep","uuid":"d1","x":${nested("1")}}`,
  "book-keeping": `{"type":"mode","mode":${objects}}`,
  "a prompt": `{"type":"user","uuid":"d2","message":{"content":${nested('"x"')}}}`,
  "a block": `{"type":"assistant","uuid":"d3","message":{"id":"m1","content":[{"type":"new","x":${objects}}]}}`,
  "an input": `{"type":"assistant","uuid":"d4","message":{"id":"m2","content":[{"type":"tool_use","id":"t1","name":"Deep","input":{"x":${objects}}}]}}`,
  "a result": `{"type":"user","uuid":"d5","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":${nested('{"type":"text","text":"x"}')}}]},"toolUseResult":${objects}}`,
  "an attachment": `{"type":"attachment","uuid":"d6","attachment":{"type":"date","date":${objects}}}`,
  "an unknown attachment": `{"type":"attachment","uuid":"d7","attachment":{"type":"new","x":${nested("1")}}}`,
  "an error": `{"type":"system","uuid":"d8","subtype":"api_error","error":{"error":${objects}}}`,
  "a system line": `{"type":"system","uuid":"d9","subtype":"new","content":${objects}}`,
  "a boundary": `{"type":"system","uuid":"d10","subtype":"compact_boundary","compactMetadata":${objects}}`,
  progress: `{"type":"progress","uuid":"d11","data":${objects}}`,
  "a queued prompt": `{"type":"queue-operation","operation":"enqueue","content":${nested('"x"')}}`,
  usage: `{"type":"assistant","uuid":"d12","message":{"id":"m3","content":"x","usage":${objects}}}`,
};

/** A session of a prompt and these lines. */
async function openLines(...lines: string[]) {
  const root = mkdtempSync(join(tmpdir(), "backscroll-deep-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "projects/-deep"), { recursive: true });
  const prompt = '{"type":"user","uuid":"p","cwd":"/deep","message":{"content":"Go deep."}}';
  writeFileSync(join(root, "projects/-deep", `${UUID}.jsonl`), `${[prompt, ...lines].join("\n")}\n`);
  const folder = await openFolder(root);
  return { folder, id: idOf(folder, UUID) };
}

test.each(Object.entries(DEEP))("%s, 100,000 levels deep, is a row", async (_, line) => {
  const { folder, id } = await openLines(line);
  const { rows } = await rowsOf(folder, id, "everything");
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows).length).toBeLessThan(20_000);
});

const read = (name: string, of: string) =>
  `{"type":"assistant","uuid":"a${name}","message":{"id":"m${name}","content":[{"type":"tool_use","id":"${name}","name":"Read","input":{"file_path":"/deep/x.ts",${of}}}]}}`;
const result = (name: string, of: string) =>
  `{"type":"user","uuid":"u${name}","message":{"content":[{"type":"tool_result","tool_use_id":"${name}","content":[{"type":"text","text":"x",${of}}]}]}}`;

/** Each is an answer that is written as JSON, which overflows the stack at some 5,000 levels. */
test("what a model was sent, and what is counted of a session, can be written however deep its lines nest", async () => {
  const deep = `"x":${objects}`;
  const reads = ["r1", "r2"].flatMap((name) => [read(name, deep), result(name, deep)]);
  const lines = [
    ...Object.values(DEEP),
    ...reads,
    '{"type":"assistant","uuid":"end","message":{"content":"Up."}}',
  ];
  const chained = lines.map((line, at) =>
    line.replace(/"uuid":"(\w+)"/, (own) => `${own},"parentUuid":"${uuidIn(lines[at - 1])}"`),
  );
  const { folder, id } = await openLines(...chained);
  const { sessions } = folder;
  const sent = await sessions.messages(id, "end");
  expect(JSON.stringify(sent)).toContain("[nested too deep]");
  expect(JSON.stringify(await gathered(sessions.conversation(id)))).toContain("[nested too deep]");
  expect(JSON.stringify(await sessions.facts(id))).toContain("rereads");
});

const uuidIn = (line = "") => /"uuid":"(\w+)"/.exec(line)?.[1] ?? "p";

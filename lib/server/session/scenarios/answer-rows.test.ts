import { expect, it } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { idOf, openFolder, rowsOf } from "@/lib/testing/transcript";
import type { Row } from "@/lib/wire/rows";

type Json = Record<string, unknown>;

const USAGE = { input_tokens: 100, output_tokens: 20 };

/** A line of the message `m1`, or of another one. */
function line(id: string, parentUuid: string, content: unknown[], more: Json = {}, message: Json = {}): Json {
  return {
    type: "assistant",
    uuid: id,
    parentUuid,
    timestamp: "2026-01-02T03:04:06.000Z",
    message: { id: "m1", role: "assistant", model: "claude-opus-4-5", content, usage: USAGE, ...message },
    ...more,
  };
}
const text = (words: string) => ({ type: "text", text: words });

async function rowsOfLines(...lines: Json[]): Promise<Row[]> {
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: lines }));
  const { rows } = await rowsOf(folder, idOf(folder, uuid(1)), "everything");
  return rows;
}
const ofKind = <Kind extends Row["kind"]>(rows: readonly Row[], kind: Kind) =>
  rows.filter((row): row is Extract<Row, { kind: Kind }> => row.kind === kind);

it("the first text of a message has what its request used, and those behind it have not", async () => {
  const rows = await rowsOfLines(
    prompt("go"),
    line("a1", "u-go", [text("first"), text("second")]),
    line("a2", "a1", [text("third")]),
    line("a3", "a2", [text("of another")], {}, { id: "m2" }),
  );
  expect(ofKind(rows, "text").map((row) => [row.text.text, row.usage !== null])).toEqual([
    ["first", true],
    ["second", false],
    ["third", false],
    ["of another", true],
  ]);
});

it("a text far behind another of its message has what the request used again: it is not looked for so far", async () => {
  const lines = [line("a0", "u-go", [text("first")])];
  for (let n = 1; n <= 40; n++)
    lines.push(
      line(`a${n}`, `a${n - 1}`, [{ type: "thinking", thinking: `thought ${n}` }], {}, { id: `m${n + 1}` }),
    );
  const rows = await rowsOfLines(prompt("go"), ...lines, line("end", "a40", [text("last")]));
  expect(ofKind(rows, "text").map((row) => [row.text.text, row.usage !== null])).toEqual([
    ["first", true],
    ["last", true],
  ]);
});

it("thinking has the time that it took where the client records it (2.1.330), and its beginning", async () => {
  const thinking = "word ".repeat(1_000);
  const rows = await rowsOfLines(
    prompt("go"),
    line("a1", "u-go", [{ type: "thinking", thinking }], { thinkingDurationMs: 1234 }),
    line("a2", "a1", [{ type: "thinking", thinking: "more" }], {}, { id: "m2" }),
  );
  expect(ofKind(rows, "thinking").map((row) => [row.durationMs, row.text.text.length, row.text.cut])).toEqual(
    [
      [1234, 2_000, true],
      [null, 4, false],
    ],
  );
});

it("what the client says in the model's name is none of its answers, and an error is one", async () => {
  const synthetic = { model: "<synthetic>", usage: undefined };
  const rows = await rowsOfLines(
    prompt("go"),
    line("a1", "u-go", [text("API Error: 500")], { isApiErrorMessage: true }, { ...synthetic, id: "s1" }),
    line("a2", "a1", [text("No response requested.")], {}, { ...synthetic, id: "s2" }),
  );
  expect(ofKind(rows, "event").map(({ event, level, label }) => [event, level, label])).toEqual([
    ["api-error", "error", "API error"],
    ["synthetic", "info", "Said by the client"],
  ]);
  expect(ofKind(rows, "text")).toEqual([]);
});

it("blocks beside a prompt have keys of their own, whatever they are, and of what was typed there only what the client added is beside it", async () => {
  const content = [
    text("go"),
    text("and test it\n<system-reminder>Be careful.</system-reminder>"),
    { type: "new_block", of: "the future" },
  ];
  const rows = await rowsOfLines({ ...prompt("go"), message: { role: "user", content } });
  const keys = rows.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(ofKind(rows, "context").map((row) => row.text.text)).toEqual([
    "<system-reminder>Be careful.</system-reminder>",
  ]);
  const [unknown] = ofKind(rows, "unknown");
  expect([unknown?.type, unknown?.text.text]).toEqual(["new_block", expect.stringContaining("the future")]);
  expect(unknown?.key).toMatch(/\.block$/);
});

it("a result whose call is in no log, and words beside it, are rows all the same", async () => {
  const content = [{ type: "tool_result", tool_use_id: "gone", content: "the end of it" }, text("a note")];
  const rows = await rowsOfLines(prompt("go"), {
    ...prompt("result"),
    parentUuid: "u-go",
    message: { role: "user", content },
  });
  expect(ofKind(rows, "context").map((row) => [row.label, row.text.text])).toEqual([
    ["A result whose call is not in the log", "the end of it"],
    ["Beside the result", "a note"],
  ]);
});

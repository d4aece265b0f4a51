import { expect, test } from "vitest";
import { addRecord } from "@/lib/log/adding/add-record";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import { SessionTable } from "@/lib/log/table/session-table";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { findQueuedTurns } from "./queued-turns";

type Json = TestLine["json"];
const queued = (operation: string, content?: string): Json => ({
  type: "queue-operation",
  operation,
  content,
});
const typed = (uuid: string, content: string): Json => ({ type: "user", uuid, message: { content } });
const answer = (uuid: string): Json => ({ type: "assistant", uuid, message: { id: uuid, content: uuid } });

/** The texts that were delivered and have no line of their own. */
function turns(...lines: Json[]): unknown[] {
  const found = findQueuedTurns(tableOf(lines.map((json) => ({ file: 0, json }))));
  return [...found.values()].map((record) => lines[record]?.content);
}

test("what was queued and delivered mid-turn is a turn (2.0.42–2.1.42)", () => {
  expect(
    turns(typed("a", "begin"), queued("enqueue", "also this"), answer("b"), queued("remove"), answer("c")),
  ).toEqual(["also this"]);
});

test("a prompt with a line of its own is no queued turn", () => {
  expect(turns(queued("enqueue", "begin"), queued("dequeue"), typed("a", "begin"), answer("b"))).toEqual([]);
  const attachment = {
    type: "attachment",
    uuid: "q",
    attachment: { type: "queued_command", prompt: "also this" },
  };
  expect(
    turns(queued("enqueue", "also this"), queued("remove", "also this"), attachment, answer("b")),
  ).toEqual([]);
});

test("a queued command for the shell has a line of its own (2.1.330)", () => {
  const ran = [typed("i", "<bash-input>npm test</bash-input>"), typed("o", "<bash-stdout>ok</bash-stdout>")];
  expect(
    turns(queued("enqueue", "npm test"), answer("a"), queued("dequeue"), ...ran, answer("b"), answer("c")),
  ).toEqual([]);
});

test("a long prompt is the same in a short line and in one that is read cut", () => {
  // 2.1.330 writes the text sent to the model after the prompt, which makes the attachment's line a long one.
  const prompt = ` And ünder "quotes"\n\n${"go on ".repeat(90)}`;
  const attachment = {
    type: "attachment",
    uuid: "q",
    attachment: { type: "queued_command", prompt },
    rendered: [{ content: `<system-reminder>${prompt.repeat(3)}</system-reminder>` }],
  };
  const lines = [queued("enqueue", prompt), queued("remove"), attachment, answer("b")];
  const table = new SessionTable();
  for (const [line, json] of lines.entries()) {
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    const raw = { bytes, offset: line * 10_000, length: bytes.length, line: line + 1 };
    for (const record of parseLine(raw, { keepBytes: KEPT_BYTES }))
      addRecord(table, 0, record, () => parseRecord(raw));
  }
  expect(findQueuedTurns(table).size).toBe(0);
});

test("the same words typed before or later are other turns", () => {
  const lines = [
    typed("a", "go on"),
    answer("b"),
    queued("enqueue", "go on"),
    queued("remove"),
    answer("c"),
    answer("d"),
    typed("e", "go on"),
  ];
  expect(turns(...lines)).toEqual(["go on"]);
});

test("of two clients that go on with one session at once, the answers of one may stand before the other's prompt (2.1.332)", () => {
  const at = (second: number, json: Json) => ({
    ...json,
    timestamp: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
  });
  const lines = [
    at(1, queued("enqueue", "left")),
    at(1, queued("dequeue")),
    at(2, queued("enqueue", "right")),
    at(2, queued("dequeue")),
    at(3, typed("a", "right")),
    at(4, answer("b")),
    at(5, answer("c")),
  ];
  expect(turns(...lines, at(2, typed("d", "left")), at(6, answer("e")))).toEqual([]);
  // The same words, typed again behind the answers.
  expect(turns(...lines, at(6, typed("d", "left")), at(7, answer("e")))).toEqual(["left"]);
});

test("a fork's copied history is between a delivery and its line", () => {
  const [old, now] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"].map(
    (timestamp) => (json: Json) => ({ ...json, timestamp }),
  );
  if (!old || !now) throw new Error("two times");
  const copied = [
    typed("a", "begin"),
    answer("b"),
    typed("c", "more"),
    answer("d"),
    typed("e", "again"),
    answer("f"),
  ].map(old);
  expect(
    turns(now(queued("enqueue", "fork")), now(queued("dequeue")), ...copied, now(typed("g", "fork"))),
  ).toEqual([]);
});

test("what was taken back, or is still waiting, is no turn", () => {
  expect(turns(queued("enqueue", "no"), queued("popAll"), queued("dequeue"))).toEqual([]);
  expect(turns(queued("enqueue", "not yet"))).toEqual([]);
});

test("each file has a queue of its own, in whatever order the files are read", () => {
  const main = [queued("enqueue", "also this"), answer("a"), queued("remove"), answer("b")];
  const agents = [queued("enqueue", "to the agent"), queued("popAll"), queued("remove")];
  const inFile = (file: number, json: Json | undefined) => ({ file, json: json ?? {} });
  const delivered = (lines: readonly TestLine[]) => {
    const table = new SessionTable();
    for (const [line, { file, json }] of lines.entries()) {
      const bytes = new TextEncoder().encode(JSON.stringify(json));
      const raw = { bytes, offset: line * 10_000, length: bytes.length, line: line + 1 };
      addRecord(table, file, parseRecord(raw), () => parseRecord(raw));
    }
    return [...findQueuedTurns(table).values()].map((record) => lines[record]?.json.content);
  };
  const [all, others] = [main.map((json) => inFile(0, json)), agents.map((json) => inFile(1, json))];
  const mixed = main.flatMap((json, at) => [inFile(1, agents[at]), inFile(0, json)]);
  for (const lines of [all.concat(others), others.concat(all), mixed])
    expect(delivered(lines)).toEqual(["also this"]);
  expect(delivered([inFile(1, queued("enqueue", "to the agent")), inFile(0, queued("remove"))])).toEqual([]);
});

test("commands and notifications that waited are no prompts", () => {
  expect(
    turns(
      queued("enqueue", "/clear"),
      queued("dequeue"),
      queued("enqueue", "<task-notification></task-notification>"),
      queued("remove"),
    ),
  ).toEqual([]);
});

test("answers of the millisecond in which a prompt was queued count as answers that came before its words", () => {
  const timestamp = "2026-01-02T03:04:05.000Z";
  const lines = [
    typed("a", "begin"),
    queued("enqueue", "go on"),
    queued("remove"),
    answer("b"),
    answer("c"),
    typed("d", "go on"),
  ];
  expect(turns(...lines.map((line) => ({ ...line, timestamp })))).toEqual(["go on"]);
});

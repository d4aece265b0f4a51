import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { parseLine } from "./parse-record";

const encoder = new TextEncoder();

function parse(text: string | Uint8Array) {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return parseLine({ bytes, offset: 100, length: bytes.length, line: 7 });
}

/** One word a part: what a reader would see of the line. */
function seen(text: string | Uint8Array): string[] {
  return parse(text).map((record) =>
    record.kind === "unreadable"
      ? `unreadable: ${record.reason}`
      : `${record.kind} ${record.uuid ?? record.type}`,
  );
}

const user = '{"type":"user","uuid":"u1","message":{"role":"user","content":"hi {\\"type\\":\\"x\\"}"}}';
const answer =
  '{"parentUuid":"u1","type":"assistant","uuid":"a1","message":{"id":"m","content":[{"type":"text","text":"yo"}]}}';

test("a record is a record", () => {
  expect(seen(user)).toEqual(["user u1"]);
  expect(parse(user)[0]?.at).toEqual({ offset: 100, length: user.length, line: 7 });
});

test("unknown types are kept, with and without a uuid", () => {
  expect(seen('{"type":"from-the-future","uuid":"f1"}')).toEqual(["unknown f1"]);
  expect(seen('{"sid":"s","from":1}')).toEqual(["unknown "]);
  expect(seen('{"type":"constructor"}')).toEqual(["unknown constructor"]);
});

test("two records on one line are two records with places of their own", () => {
  expect(seen(user + answer)).toEqual(["user u1", "assistant a1"]);
  expect(parse(user + answer)[1]?.at).toEqual({ offset: 100 + user.length, length: answer.length, line: 7 });
});

test("the record after the beginning of one that was cut off is recovered", () => {
  for (const cut of [2, 10, 30, 60, user.length - 1]) {
    expect(seen(user.slice(0, cut) + answer)).toEqual([
      `unreadable: ${cut} bytes of a record that was cut off`,
      "assistant a1",
    ]);
  }
});

test("NUL bytes before a record are shown, and the record is recovered", () => {
  expect(seen(`\0\0\0${user}`)).toEqual(["unreadable: 3 NUL bytes", "user u1"]);
  expect(seen(new Uint8Array(4))).toEqual(["unreadable: The line is 4 NUL bytes"]);
});

test("text after a record is shown as lost", () => {
  expect(seen(`${user}{"type":"assist`)).toEqual([
    "user u1",
    "unreadable: 15 bytes of a record that was cut off",
  ]);
});

test("a byte order mark and a carriage return are not part of the record", () => {
  expect(seen(`\ufeff${user}\r`)).toEqual(["user u1"]);
});

test("invalid UTF-8 becomes replacement characters", () => {
  const bytes = encoder.encode(user);
  bytes[bytes.indexOf(0x68)] = 0xff; // the h of "hi"
  const [record] = parse(bytes);
  expect(
    record?.kind === "user" &&
      record.blocks[0]?.kind === "text" &&
      record.blocks[0].text.startsWith("\ufffdi"),
  ).toBe(true);
});

test("lines that are no object have a reason", () => {
  expect(seen("")).toEqual(["unreadable: The line is empty"]);
  expect(seen("[1]")).toEqual(["unreadable: The line is JSON, but not an object"]);
  expect(seen("null")).toEqual(["unreadable: The line is JSON, but not an object"]);
  expect(seen("not json")[0]).toMatch(/^unreadable: Not JSON/);
});

test("a time is an ISO string, or a number that a date can hold", () => {
  const told = [
    '"2026-01-02T03:00:00.000Z"',
    "1767322800",
    "1767322800000",
    // Nanoseconds, and no times at all.
    "1767322800000000000",
    "1e300",
    "0",
    '"yesterday"',
  ].map((timestamp) => parse(`{"type":"user","timestamp":${timestamp},"message":{"content":"x"}}`)[0]);
  const atMs = 1_767_322_800_000;
  expect(told.map((record) => record?.kind === "user" && record.atMs)).toEqual([
    ...[atMs, atMs, atMs],
    ...[null, null, null, null],
  ]);
});

test("__proto__ is data", () => {
  const [record] = parse('{"type":"user","__proto__":{"isMeta":true},"message":{"content":"x"}}');
  expect(record?.kind === "user" && record.isMeta).toBe(false);
  expect(({} as { isMeta?: boolean }).isMeta).toBeUndefined();
});

test("nesting of any depth is parsed without recursion over it", () => {
  const deep = `{"type":"user","uuid":"d","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":${'[{"type":"tool_result","content":'.repeat(20_000)}"x"${"}]".repeat(20_000)}}]}}`;
  expect(seen(deep)).toEqual(["user d"]);
});

test("a field of a wrong type affects no other field", () => {
  const odd = fc.constantFrom(null, 0, "", "x", true, [], {}, [[]], { content: 1 });
  const fields = [
    "uuid",
    "parentUuid",
    "message",
    "timestamp",
    "isMeta",
    "toolUseResult",
    "cwd",
    "attachment",
    "data",
    "subtype",
    "version",
  ];
  const types = fc.constantFrom(
    "user",
    "assistant",
    "system",
    "progress",
    "attachment",
    "queue-operation",
    "new",
  );
  fc.assert(
    fc.property(types, fc.dictionary(fc.constantFrom(...fields), odd), (type, json) => {
      const [record, ...others] = parse(JSON.stringify({ ...json, type }));
      expect(others).toEqual([]);
      expect(record?.kind).not.toBe("unreadable");
    }),
    sampled(3, 1_000, 50_000),
  );
});

test("a lone object from a server tool is shown", () => {
  const error = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };
  const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: error };
  const [record] = parse(
    JSON.stringify({ type: "assistant", uuid: "a1", message: { id: "m", content: [result] } }),
  );
  expect(record?.kind === "assistant" && record.blocks[0]).toMatchObject({
    kind: "tool-result",
    isError: true,
    content: [{ kind: "unknown", type: "web_search_tool_result_error", json: error }],
  });
});

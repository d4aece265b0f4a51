import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { parseLine } from "./parse-record";
import { findRecords, salvage } from "./salvage";

const encoder = new TextEncoder();

/** One word a part of a line: the uuid or type of a record, or how many bytes are lost. */
function seen(text: string): string[] {
  const bytes = encoder.encode(text);
  return parseLine({ bytes, offset: 0, length: bytes.length, line: 1 }).map((record) =>
    record.kind === "unreadable" ? `${record.at.length} lost` : (record.uuid ?? record.type),
  );
}

const record = (n: number) =>
  JSON.stringify({ parentUuid: null, type: "user", uuid: `u${n}`, message: { role: "user", content: "hi" } });

test("a record is recovered after a snapshot that was cut off with a thousand keys", () => {
  const backups = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [`src/${n}.ts`, { backupFileName: `${n}@v1`, version: 1 }]),
  );
  const snapshot = JSON.stringify({
    type: "file-history-snapshot",
    snapshot: { trackedFileBackups: backups },
  });
  for (const cut of [snapshot.length - 3, snapshot.length - 20, snapshot.length - 40])
    expect(seen(snapshot.slice(0, cut) + record(1))).toEqual([`${cut} lost`, "u1"]);
});

test("a record is recovered after results that nest a thousand deep", () => {
  const head = `{"type":"user","message":{"content":${'[{"type":"tool_result","content":'.repeat(1000)}"cut`;
  expect(seen(head + record(1))).toEqual([`${head.length} lost`, "u1"]);
  const closed = `${head}"${"}]".repeat(1000)}`;
  expect(seen(closed + record(1))).toEqual([`${closed.length} lost`, "u1"]);
});

test("each of a thousand records on one line is one", () => {
  const all = Array.from({ length: 1002 }, (_, n) => record(n));
  const names = all.map((_, n) => `u${n}`);
  expect(seen(all.join(""))).toEqual(names);
  // Lone CRs, as some tools leave them, are blanks between the records of one line.
  expect(seen(`\ufeff${all.join("\r")}\r`)).toEqual(names);
});

test("parts of a lost record are not taken for records", () => {
  const parts =
    '"toolUseResult":{"type":"create","filePath":"/a"},"data":{"type":"progress","message":{"type":"user"}}';
  for (const head of [`{"type":"user","uuid":"u1",${parts},"cut`, `{"uuid":"u1","bad":"\0",${parts}}`])
    expect(seen(head + record(2))).toEqual([`${head.length} lost`, "u2"]);
});

/** What a reader without any limit finds: at each `{"` in its order, the shortest text that is a record. */
function bruteForce(text: string): string[] {
  const names: string[] = [];
  for (let from = 0; from < text.length; from++) {
    if (!text.startsWith('{"', from)) continue;
    for (let to = from + 1; to <= text.length; to++) {
      const json = text[to - 1] === "}" ? parsed(text.slice(from, to)) : null;
      if (!json) continue;
      const isRecord = json.uuid ?? (json.type && !/^[,}\]]/.test(text.slice(to)));
      if (isRecord && !("role" in json)) {
        names.push(json.uuid ?? json.type ?? "");
        from = to - 1;
      }
      break;
    }
  }
  return names;
}

function parsed(text: string): { uuid?: string; type?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const content = fc.array(fc.constantFrom("a", '"', "\\", "{", "}", '{"', "\n", "é", "\u2028", ",", ":"), {
  maxLength: 6,
});
const whole = fc.record({ n: fc.nat(99), content, deep: fc.nat(3) }).map(({ n, content, deep }) => {
  let body: unknown = content.join("");
  for (let i = 0; i < deep; i++) body = [{ kind: body, n: -1.5e3, ok: [true, null, {}] }];
  return JSON.stringify({ type: "user", message: { role: "user", content: body }, uuid: `u${n}` });
});

test("complete records are found, whatever is between them", () => {
  const between = fc.oneof(
    fc.constantFrom("", "", "\r", " ", "\0\0", "x", "\\", '"', "1"),
    fc
      .tuple(whole, fc.double({ min: 0.05, max: 0.95, noNaN: true }))
      .map(([text, share]) => text.slice(0, Math.floor(text.length * share))),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(between, whole), { minLength: 1, maxLength: 5 }), between, (pairs, end) => {
      const text = pairs.flat().join("") + end;
      const saved = salvage(encoder.encode(text)).flatMap(({ json }) =>
        json ? [json.uuid ?? json.type] : [],
      );
      expect(saved).toEqual(bruteForce(text));
    }),
    sampled(5, 100, 10_000),
  );
});

test("every byte of a line is in a record, in a lost part, or blank", () => {
  const bits = fc.constantFrom(
    '{"',
    '"',
    "}",
    "{",
    "[",
    "]",
    "\\",
    '"uuid":"u"',
    '"type":"user"',
    ",",
    ":",
    "1",
    "\0",
    " ",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      const found = salvage(encoder.encode(text));
      const between = found.map(({ from }, n) => text.slice(found[n - 1]?.to ?? 0, from));
      const behind = found.length > 0 ? text.slice(found.at(-1)?.to) : "";
      expect([...between, behind].join("").trim()).toBe("");
      const saved = found.filter(({ json }) => json !== null);
      expect(saved.map(({ from, to }) => JSON.parse(text.slice(from, to)))).toEqual(
        saved.map(({ json }) => json),
      );
    }),
    sampled(6, 1_000, 50_000),
  );
});

test.each([
  ["objects that never end", '{"a":'],
  ["lists that never end", '{"a":[['],
  ["starts within strings", '{"a{"b'],
  ["records cut off in strings", '{"type":"user","uuid":"u1","text":"cut{"x'],
  ["objects of an object that was cut off", '{"b":{"c":1},'],
  ["backslashes and quotes", '{"\\"'],
  ["whole records", record(1)],
  ["parts with a type", '{"type":"a"},   '],
])("a line of %s is looked at twice at the most, however long", (_, piece) => {
  for (const times of [1000, 16_000]) {
    const line = encoder.encode(`{"head":[${piece.repeat(times)}`);
    expect(findRecords(line).steps).toBeLessThanOrEqual(2 * line.length);
  }
});

test("reading a line of damage takes time in proportion to its length", () => {
  const damage = `{"type":"user","snapshot":{"files":{"a{"b":{"c":[{"d":"\\\\`;
  const read = (times: number) => {
    const bytes = encoder.encode(damage.repeat(times) + record(1));
    expect(parseLine({ bytes, offset: 0, length: bytes.length, line: 1 }).length).toBe(2);
  };
  expect(timeGrowth(read, 2_000)).toBeLessThan(MAX_LINEAR_GROWTH);
});

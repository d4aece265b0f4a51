import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { addRecord } from "@/lib/log/adding/add-record";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { buildRow } from "@/lib/log/rows/build-row";
import { Level } from "@/lib/log/table/kinds";
import { SessionTable } from "@/lib/log/table/session-table";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { openBranch } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";

/** Lines that are read as one log. */
const LOG_LINES = 50;
const LOGS = sampled(4, 100, 20_000);
const MAX_LINE_CHARACTERS = 3_000;
const encoder = new TextEncoder();

/** Real lines of every version and type, those of ordinary length. */
async function realLines(): Promise<Uint8Array[]> {
  const found = new Map<string, Uint8Array[]>();
  for (const version of RECORDED_VERSIONS) {
    const { folder } = await openRecording(version);
    for (const { id } of folder.catalog.summaries()) {
      const { main, agents } = folder.catalog.sessionFiles(id);
      for (const { path } of [main, ...agents]) {
        for (const text of readFileSync(path, "utf8").split("\n")) {
          if (text === "" || text.length > MAX_LINE_CHARACTERS) continue;
          const key = `${version} ${/"type":"([^"]+)"/.exec(text)?.[1]} ${/"subtype":"([^"]+)"/.exec(text)?.[1]}`;
          const kind = found.get(key) ?? [];
          if (kind.length < 12) kind.push(encoder.encode(text));
          found.set(key, kind);
        }
      }
    }
  }
  return [...found.values()].flat();
}

type Change = { how: number; at: number; byte: number; with: number };
const change = fc.record({ how: fc.nat(8), at: fc.nat(), byte: fc.nat(255), with: fc.nat() });
const VALUES = [
  "null",
  "0",
  '""',
  "[]",
  "{}",
  "true",
  "1e999",
  '{"type":"text"}',
  '[{"type":"tool_use"}]',
  "-1",
  '"\\ud800"',
];

/** What happens to lines on real disks, and worse. */
function mutate(
  line: Uint8Array,
  { how, at, byte, with: other }: Change,
  lines: readonly Uint8Array[],
): Uint8Array {
  const place = line.length === 0 ? 0 : at % line.length;
  const second = lines[other % lines.length] as Uint8Array;
  switch (how) {
    case 0: // cut off
      return line.slice(0, place);
    case 1: // the head of one record, and the next
      return concat(line.slice(0, place), second);
    case 2: // two records on one line
      return concat(line, second);
    case 3: {
      // a byte flipped
      const flipped = line.slice();
      flipped[place] = byte === 0x0a ? 0 : byte;
      return flipped;
    }
    case 4: // a run of NUL bytes
      return concat(line.slice(0, place), new Uint8Array(byte), line.slice(place));
    case 5: // a stretch lost
      return concat(line.slice(0, place), line.slice(place + byte));
    case 6: // the end alone
      return line.slice(place);
    default:
      return retyped(line, at, other);
  }
}

/** A value of a known field replaced by one of another type. */
function retyped(line: Uint8Array, at: number, other: number): Uint8Array {
  const text = new TextDecoder().decode(line);
  const keys = [
    ...text.matchAll(/"([A-Za-z_]+)":("(?:[^"\\]|\\.)*"|true|false|null|-?\d+(?:\.\d+)?|\{\}|\[\])/g),
  ];
  const chosen = keys[at % Math.max(1, keys.length)];
  if (!chosen) return line;
  const value = `"${chosen[1]}":${VALUES[other % VALUES.length]}`;
  return encoder.encode(text.slice(0, chosen.index) + value + text.slice(chosen.index + chosen[0].length));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Every byte of a line is in a record or in an unreadable part, none in two, but for blanks between. */
function expectCovered(line: RawLine, records: readonly SessionRecord[]): void {
  let end = line.offset;
  for (const { at } of records) {
    expect(at.line).toBe(line.line);
    if (at.offset !== end) expectBlank(line, end, at.offset);
    end = at.offset + at.length;
  }
  expectBlank(line, end, line.offset + line.length);
  expect(records.length).toBeGreaterThan(0);
}

function expectBlank({ bytes, offset }: RawLine, from: number, to: number): void {
  expect(from).toBeLessThanOrEqual(to);
  expect(new TextDecoder().decode(bytes.subarray(from - offset, to - offset)).trim()).toBe("");
}

/** Reads bytes as a log and builds every row of every way. */
function readWhole(log: Uint8Array): number {
  const table = new SessionTable();
  const kept: RawLine[] = [];
  const records: SessionRecord[] = [];
  let lines = 0;
  const take = (line: RawLine) => {
    lines += 1;
    const parsed = parseLine(line, { keepBytes: KEPT_BYTES });
    expectCovered(line, parsed);
    for (const record of parsed) {
      addRecord(table, 0, record, () => parseRecord(line));
      kept.push(line);
      records.push(record);
    }
  };
  new LineSplitter().push(log, take);
  const logs = [{ key: "m", agentId: null, meta: null }];
  const graph = buildGraph(table, logs);
  const folds = new Set<number>();
  for (const branch of graph.branches.flat()) {
    const { path, list } = openBranch(table, graph, branch, Level.everything, folds);
    const context = {
      table,
      graph,
      logs,
      branch,
      path,
      folds,
      prices: new PriceTable(),
      read: (record: number) => records[record] ?? null,
    };
    for (let row = 0; row < list.count; row++) expect(buildRow(context, list, row).kind).not.toBe("");
  }
  return lines;
}

test("broken lines: nothing thrown, and every byte accounted for", async () => {
  const lines = await realLines();
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), change), { minLength: LOG_LINES, maxLength: LOG_LINES }),
      (changes) => {
        const broken = changes.map(([chosen, how]) =>
          mutate(lines[chosen % lines.length] as Uint8Array, how, lines),
        );
        read += readWhole(concat(...broken.flatMap((line) => [line, encoder.encode("\n")])));
      },
    ),
    LOGS,
  );
  expect(read).toBeGreaterThanOrEqual(LOGS.numRuns * LOG_LINES);
});

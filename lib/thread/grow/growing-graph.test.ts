import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRecord } from "@/lib/records/parse-record";
import { addRecord } from "../add-record";
import { buildGraph } from "../session-graph";
import { SessionTable } from "../session-table";
import { anyLines, LOGS, type TestLine, tableOf } from "../test-records";
import { wellFormedLines } from "../test-tree";
import { graphFacts } from "./graph-facts.fixture";
import { GrowingGraph } from "./growing-graph";

// `npm run soak` sets more sequences and other seeds.
const RUNS = Number(process.env.BACKSCROLL_SEQUENCES ?? 3_000);
const SEED = Number(process.env.BACKSCROLL_SEED ?? 20_264);

const encoder = new TextEncoder();

/** Adds lines as they are written, files by turns, each at the end of its file. */
class Writer {
  readonly table = new SessionTable();
  readonly written: TestLine[] = [];
  readonly #ends = new Map<number, { offset: number; line: number }>();

  write(line: TestLine): void {
    const { file, json } = line;
    const bytes = encoder.encode(JSON.stringify(json));
    const end = this.#ends.get(file) ?? { offset: 0, line: 1 };
    const record = parseRecord({ bytes, length: bytes.length, ...end });
    addRecord(this.table, file, record, () => record);
    this.#ends.set(file, { offset: end.offset + bytes.length + 1, line: end.line + 1 });
    this.written.push(line);
  }
}

/** Ids of calls and messages are no other file's, and the queue is the main log's: who comes first depends on what is read first. */
function apart({ file, json }: TestLine): TestLine {
  const text = JSON.stringify(json)
    .replaceAll(/"(tool_use_id|id)":"([tm]\d)"/g, `"$1":"$2-${file}"`)
    .replaceAll(/"parentToolUseID":"(t\d)"/g, `"parentToolUseID":"$1-${file}"`);
  return { file: json.type === "queue-operation" ? 0 : file, json: JSON.parse(text) as TestLine["json"] };
}

function follow(lines: readonly TestLine[], cuts: readonly number[]): { fast: number; full: number } {
  const counts = { fast: 0, full: 0 };
  const writer = new Writer();
  let growing = new GrowingGraph(writer.table, LOGS, buildGraph(writer.table, LOGS));
  for (let from = 0, turn = 0; from < lines.length; turn++) {
    const to = Math.min(lines.length, from + 1 + ((cuts[turn % cuts.length] ?? 0) % 4));
    for (const line of lines.slice(from, to)) writer.write(line);
    from = to;
    const growth = growing.grow(LOGS);
    const cold = tableOf(writer.written);
    const facts = graphFacts(cold, LOGS, buildGraph(cold, LOGS));
    expect(growth ? graphFacts(writer.table, LOGS, growth.graph) : facts).toEqual(facts);
    if (growth) {
      counts.fast += 1;
      continue;
    }
    counts.full += 1;
    const again = new Writer();
    for (const line of writer.written.toSorted((a, b) => a.file - b.file)) again.write(line);
    Object.assign(writer, { table: again.table });
    growing = new GrowingGraph(writer.table, LOGS, buildGraph(writer.table, LOGS));
  }
  return counts;
}

const cuts = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 });

test("a graph that is followed is the one that the whole table gives, whatever hangs from whatever", () => {
  let fast = 0;
  fc.assert(
    fc.property(anyLines, cuts, (lines, at) => {
      fast += follow(lines.map(apart), at).fast;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(fast).toBeGreaterThan(RUNS);
});

test("lines as a client writes them need no other look at what was there", () => {
  const total = { fast: 0, full: 0 };
  fc.assert(
    fc.property(wellFormedLines, cuts, (lines, at) => {
      const { fast, full } = follow(lines, at);
      total.fast += fast;
      total.full += full;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(total.fast).toBeGreaterThan(RUNS);
  expect(total.full).toBe(0);
});

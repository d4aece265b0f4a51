import fc from "fast-check";
import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { branchesFrom, findForks } from "@/lib/log/graph/branch-points";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { Level } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import { anyLines, LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import type { ForkRow } from "@/lib/wire/rows";
import { buildRow } from "./build-row";
import { isForkRow, RowKind } from "./flatten";

const prompt = (uuid: string, parentUuid: string | null): TestLine => ({
  file: 0,
  json: { type: "user", uuid, parentUuid, message: { content: uuid } },
});

/** The line with which a client of 2.1.330 says to which line it went back. */
const wentBackTo = (leafUuid: string): TestLine => ({
  file: 0,
  json: { type: "last-prompt", leafUuid, explicit: true },
});

/** Each fork on a way, the active one or another: how many ways it lists, which is read, and how many more there are. */
const prices = new PriceTable();

function forks(lines: TestLine[], way = 0): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const branch = graph.branches[0]?.[way];
  if (!branch) throw new Error("no branch");
  const folds = new Set<number>();
  const { path, list } = openBranch(table, graph, branch, Level.tools, folds);
  const found: string[] = [];
  for (let row = 0; row < list.count; row++) {
    if (!isForkRow(at(list.kind, row))) continue;
    const fork = buildRow(
      { table, graph, logs: LOGS, branch, path, folds, prices, read: () => null },
      list,
      row,
    ) as ForkRow;
    const current = fork.branches.findIndex((way) => way.current);
    const rows = fork.branches.map((one) => (one.endsHere ? "ends" : one.rows));
    const place = at(list.kind, row) === RowKind.endFork ? ", at the end" : "";
    found.push(
      `${rows.length} ways, reading ${current + 1}, rows ${rows.join(" ")}${fork.more ? `, ${fork.more} more` : ""}${place}`,
    );
  }
  return found;
}

test("each way on is listed once, however many branches it parts into", () => {
  const lines = [
    prompt("a", null),
    prompt("b", "a"),
    prompt("b1", "b"),
    prompt("b2", "b"),
    prompt("c", "a"),
    prompt("c1", "c"),
  ];
  expect(forks(lines)).toEqual(["2 ways, reading 2, rows 2 2"]);
});

test("a way that was left and taken up again is the one being read", () => {
  const lines = [prompt("a", null), prompt("b", "a"), prompt("c", "a"), prompt("b1", "b")];
  expect(forks(lines)).toEqual(["2 ways, reading 1, rows 2 1"]);
});

/** The numbers of the branches that each fork on the active way offers, the one being read in brackets. */
function numbers(lines: TestLine[]): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const [branch] = graph.branches[0] ?? [];
  if (!branch) throw new Error("no branch");
  const folds = new Set<number>();
  const { path, list } = openBranch(table, graph, branch, Level.tools, folds);
  return Array.from({ length: list.count }, (_, row) => row)
    .filter((row) => isForkRow(at(list.kind, row)))
    .map((row) => {
      const context = { table, graph, logs: LOGS, branch, path, folds, prices, read: () => null };
      const fork = buildRow(context, list, row) as ForkRow;
      const told = fork.branches.map(({ number, current }) => (current ? `[${number}]` : number));
      return `${told.join(" ")} of ${fork.count}`;
    });
}

test("branches are numbered as they were begun, and keep their numbers while others come", () => {
  const lines = [prompt("a", null), prompt("b", "a"), prompt("b1", "b"), prompt("c", "a"), prompt("c1", "c")];
  expect(numbers(lines)).toEqual(["1 [2] of 2"]);
  // A third one leaves the second, and then the first is taken up again.
  lines.push(prompt("c2", "c"));
  expect(numbers(lines)).toEqual(["1 [3] of 3", "2 [3] of 3"]);
  lines.push(prompt("b11", "b1"));
  expect(numbers(lines)).toEqual(["[1] 3 of 3"]);
  lines.push(wentBackTo("b1"));
  expect(numbers(lines)).toEqual(["[4] 3 of 4", "1 [4] of 4"]);
});

test("two prompts without a parent are two ways from the start", () => {
  expect(forks([prompt("a", null), prompt("b", null)])).toEqual(["2 ways, reading 2, rows 1 1"]);
});

test("of thousands of ways those around the one being read are listed, and the rest counted", () => {
  const lines = [
    prompt("a", null),
    ...Array.from({ length: 3000 }, (_, n) => prompt(`b${n}`, "a")),
    prompt("c", "b7"),
  ];
  expect(forks(lines)[0]).toMatch(/^50 ways, reading 8, rows 1 .*, 2950 more$/);
  expect(forks(lines.slice(0, -1))[0]).toMatch(/^50 ways, reading 50, .*, 2950 more$/);
});

test("every way is reached from the one beside it", () => {
  const lines = [prompt("a", null), ...Array.from({ length: 120 }, (_, n) => prompt(`b${n}`, "a"))];
  const listed = Array.from({ length: 120 }, (_, way) => {
    const [, count, reading] = /^(\d+) ways, reading (\d+)/.exec(forks(lines, way)[0] ?? "") ?? [];
    return [Number(reading) > 1, Number(reading) < Number(count)];
  });
  // Of one at the end of the list that a row has, nothing would lead further.
  expect(listed.filter(([before]) => !before)).toHaveLength(1);
  expect(listed.filter(([, behind]) => !behind)).toHaveLength(1);
});

const leftBehind = [
  prompt("a", null),
  prompt("b", "a"),
  prompt("c", "b"),
  prompt("d", "a"),
  prompt("e", "d"),
];

test("a way that ends where the client went back to offers what was left behind", () => {
  expect(forks([...leftBehind, wentBackTo("a")])).toEqual(["3 ways, reading 3, rows 2 2 ends, at the end"]);
  expect(forks([...leftBehind, wentBackTo("d")])).toEqual([
    "2 ways, reading 2, rows 2 1",
    "2 ways, reading 2, rows 1 ends, at the end",
  ]);
});

test("a way that was left behind leads back to where the client stands", () => {
  expect(forks([...leftBehind, wentBackTo("a")], 1)).toEqual(["3 ways, reading 2, rows 2 2 ends"]);
  expect(forks([...leftBehind, wentBackTo("d")], 1)).toEqual([
    "2 ways, reading 2, rows 2 2",
    "2 ways, reading 1, rows 1 ends",
  ]);
});

test("once something is typed there, it is a fork like any other", () => {
  expect(forks([...leftBehind, wentBackTo("d"), prompt("f", "d")])).toEqual([
    "2 ways, reading 2, rows 2 2",
    "2 ways, reading 2, rows 1 1",
  ]);
});

test("whatever hangs from whatever, there is a fork where more than one way goes on, and only there", () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      for (const branch of graph.branches.flat()) {
        const { path } = openBranch(table, graph, branch);
        const forks = findForks(graph, path);
        const thread = at(graph.steps.thread, branch.leaf);
        const stepAt = (place: number) => at(graph.steps.of, at(path.records, place));
        for (let place = 0; place <= path.records.length; place++) {
          const stem = place === 0 ? -1 : stepAt(place - 1);
          const isEnd = place === path.records.length;
          if (!isEnd && stepAt(place) === stem) continue;
          const ways = branchesFrom(graph, thread, stem);
          const isFork = isEnd ? forks.atEnd : forks.before.has(at(path.records, place));
          const own = isEnd ? -1 : stepAt(place);
          expect(isFork, `${place} of ${path.records.length}`).toBe(ways.length > 1);
          expect(!isFork || ways.some(({ child }) => child === own)).toBe(true);
        }
      }
    }),
    sampled(20_265, 800, 50_000),
  );
});

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

const prices = new PriceTable();

/** Each fork of a branch: how many branches it lists, which one is being read, and how many more there are. */
function forks(lines: TestLine[], nth = 0): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const branch = graph.branches[0]?.[nth];
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
    const current = fork.branches.findIndex(({ current }) => current);
    const rows = fork.branches.map((one) => (one.endsHere ? "ends" : one.rows));
    const place = at(list.kind, row) === RowKind.endFork ? ", at the end" : "";
    found.push(
      `${rows.length} branches, reading ${current + 1}, rows ${rows.join(" ")}${fork.more ? `, ${fork.more} more` : ""}${place}`,
    );
  }
  return found;
}

test("each continuation is listed once, however many branches it splits into", () => {
  const lines = [
    prompt("a", null),
    prompt("b", "a"),
    prompt("b1", "b"),
    prompt("b2", "b"),
    prompt("c", "a"),
    prompt("c1", "c"),
  ];
  expect(forks(lines)).toEqual(["2 branches, reading 2, rows 2 2"]);
});

test("a branch that was left and continued later is the one being read", () => {
  const lines = [prompt("a", null), prompt("b", "a"), prompt("c", "a"), prompt("b1", "b")];
  expect(forks(lines)).toEqual(["2 branches, reading 1, rows 2 1"]);
});

/** The numbers of the branches that each fork of the active branch offers, the one being read in brackets. */
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

test("branches are numbered in the order in which they began, and keep their numbers when others are added", () => {
  const lines = [prompt("a", null), prompt("b", "a"), prompt("b1", "b"), prompt("c", "a"), prompt("c1", "c")];
  expect(numbers(lines)).toEqual(["1 [2] of 2"]);
  // A third one leaves the second, and then the first is continued.
  lines.push(prompt("c2", "c"));
  expect(numbers(lines)).toEqual(["1 [3] of 3", "2 [3] of 3"]);
  lines.push(prompt("b11", "b1"));
  expect(numbers(lines)).toEqual(["[1] 3 of 3"]);
  lines.push(wentBackTo("b1"));
  expect(numbers(lines)).toEqual(["[4] 3 of 4", "1 [4] of 4"]);
});

test("two prompts without a parent are two branches from the start", () => {
  expect(forks([prompt("a", null), prompt("b", null)])).toEqual(["2 branches, reading 2, rows 1 1"]);
});

test("of thousands of branches those around the one being read are listed, and the others counted", () => {
  const lines = [
    prompt("a", null),
    ...Array.from({ length: 3000 }, (_, n) => prompt(`b${n}`, "a")),
    prompt("c", "b7"),
  ];
  expect(forks(lines)[0]).toMatch(/^50 branches, reading 8, rows 1 .*, 2950 more$/);
  expect(forks(lines.slice(0, -1))[0]).toMatch(/^50 branches, reading 50, .*, 2950 more$/);
});

test("every branch can be reached from the one beside it", () => {
  const lines = [prompt("a", null), ...Array.from({ length: 120 }, (_, n) => prompt(`b${n}`, "a"))];
  const listed = Array.from({ length: 120 }, (_, nth) => {
    const [, count, reading] = /^(\d+) branches, reading (\d+)/.exec(forks(lines, nth)[0] ?? "") ?? [];
    return [Number(reading) > 1, Number(reading) < Number(count)];
  });
  // From a branch at the end of a row's list, no other one could be reached.
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

test("a branch that ends where the client went back to offers the abandoned ones", () => {
  expect(forks([...leftBehind, wentBackTo("a")])).toEqual([
    "3 branches, reading 3, rows 2 2 ends, at the end",
  ]);
  expect(forks([...leftBehind, wentBackTo("d")])).toEqual([
    "2 branches, reading 2, rows 2 1",
    "2 branches, reading 2, rows 1 ends, at the end",
  ]);
});

test("an abandoned branch leads back to the client's position", () => {
  expect(forks([...leftBehind, wentBackTo("a")], 1)).toEqual(["3 branches, reading 2, rows 2 2 ends"]);
  expect(forks([...leftBehind, wentBackTo("d")], 1)).toEqual([
    "2 branches, reading 2, rows 2 2",
    "2 branches, reading 1, rows 1 ends",
  ]);
});

test("once something is typed there, it is a fork like any other", () => {
  expect(forks([...leftBehind, wentBackTo("d"), prompt("f", "d")])).toEqual([
    "2 branches, reading 2, rows 2 2",
    "2 branches, reading 2, rows 1 1",
  ]);
});

test("whatever the parents are, there is a fork where several branches continue, and only there", () => {
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
          const branches = branchesFrom(graph, thread, stem);
          const isFork = isEnd ? forks.atEnd : forks.before.has(at(path.records, place));
          const own = isEnd ? -1 : stepAt(place);
          expect(isFork, `${place} of ${path.records.length}`).toBe(branches.length > 1);
          expect(!isFork || branches.some(({ child }) => child === own)).toBe(true);
        }
      }
    }),
    sampled(20_265, 400, 50_000),
  );
});

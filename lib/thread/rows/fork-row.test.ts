import { expect, test } from "vitest";
import type { ForkRow } from "@/lib/wire/rows";
import { flatten, RowKind } from "../flatten";
import { Level } from "../kinds";
import { layOutPath } from "../lay-out-path";
import { buildGraph } from "../session-graph";
import { at } from "../table";
import { LOGS, type TestLine, tableOf } from "../test-records";
import { buildRow } from "./build-row";

const prompt = (uuid: string, parentUuid: string | null): TestLine => ({
  file: 0,
  json: { type: "user", uuid, parentUuid, message: { content: uuid } },
});

/** Each fork on the active way: how many ways it lists, which is read, and how many more there are. */
function forks(lines: TestLine[]): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const [branch] = graph.branches[0] ?? [];
  if (!branch) throw new Error("no branch");
  const path = layOutPath(table, graph, branch);
  const folds = new Set<number>();
  const list = flatten(table, graph, path, Level.tools, folds);
  const found: string[] = [];
  for (let row = 0; row < list.count; row++) {
    if (at(list.kind, row) !== RowKind.fork) continue;
    const fork = buildRow(
      { table, graph, logs: LOGS, branch, path, folds, read: () => null },
      list,
      row,
    ) as ForkRow;
    const current = fork.branches.findIndex((way) => way.current);
    found.push(
      `${fork.branches.length} ways, reading ${current + 1}, rows ${fork.branches.map(({ rows }) => rows).join(" ")}${fork.more ? `, ${fork.more} more` : ""}`,
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

test("two prompts without a parent are two ways from the start", () => {
  expect(forks([prompt("a", null), prompt("b", null)])).toEqual(["2 ways, reading 2, rows 1 1"]);
});

test("of thousands of ways the latest are listed, and the rest counted", () => {
  const lines = [
    prompt("a", null),
    ...Array.from({ length: 3000 }, (_, n) => prompt(`b${n}`, "a")),
    prompt("c", "b7"),
  ];
  expect(forks(lines)[0]).toMatch(/^51 ways, reading 1, rows 2 .*, 2949 more$/);
});

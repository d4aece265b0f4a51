import fc from "fast-check";
import { expect, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { anyLines, LOGS, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { branchTurns } from "./branch-turns";
import { IncrementalPath } from "./incremental-path";

test("whatever the parents are, the turns of a branch are those of its path", () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      for (const { leaf } of graph.branches.flat()) {
        const turns = branchTurns(table, graph, leaf);
        const { path } = new IncrementalPath(table, graph, leaf);
        const expected = new Map<number, number>();
        for (const [turn, { from }] of path.turns.entries()) {
          const to = path.turns[turn + 1]?.from ?? path.records.length;
          for (const one of path.records.subarray(from, to)) expected.set(one, turn);
        }
        for (let record = 0; record < table.records.size; record++)
          expect(turns.of(record)).toBe(expected.get(record) ?? 0);
        // None for what precedes the first prompt, and for the turn behind the last.
        const prompts = [-1, ...path.turns.slice(1).map(({ record }) => record), -1];
        expect(prompts.map((_, turn) => turns.prompt(turn))).toEqual(prompts);
      }
    }),
    sampled(20261124, 300, 20_000),
  );
});

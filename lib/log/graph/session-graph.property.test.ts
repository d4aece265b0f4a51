import fc from "fast-check";
import { expect, test } from "vitest";
import { isForkRow, RowKind } from "@/lib/log/rows/flatten";
import { BlockKind } from "@/lib/log/table/kinds";
import { blocksOf, SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { wellFormedLines } from "@/lib/testing/graph/record-tree";
import { addLines, anyLines, LOGS, openBranch, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { countSession } from "./session-counts";
import { buildGraph, type SessionGraph } from "./session-graph";

/** The records that any branch shows at `everything`: by a row, or as part of a row. */
function shownRecords(table: SessionTable, graph: SessionGraph): Set<number> {
  const shown = new Set<number>();
  for (const branch of graph.branches.flat()) {
    const { path, list } = openBranch(table, graph, branch);
    expect(new Set(path.records).size, "a record is once on a branch").toBe(path.records.length);
    const calls = new Set<number>();
    for (let row = 0; row < list.count; row++) {
      const of = at(list.of, row);
      const kind = at(list.kind, row);
      if (kind === RowKind.turn) shown.add(of);
      else if (!isForkRow(kind)) {
        shown.add(table.blocks.record.at(of));
        if (table.blocks.kind.at(of) === BlockKind.call) calls.add(table.blocks.call.at(of));
      }
    }
    for (const call of calls) for (const record of recordsOf(table, call)) shown.add(record);
  }
  return shown;
}

/** Every record with a block of this call: its results, and its own line written again. */
function recordsOf(table: SessionTable, call: number): number[] {
  const found: number[] = [];
  for (let block = 0; block < table.blocks.size; block++) {
    if (table.blocks.call.at(block) === call) found.push(table.blocks.record.at(block));
  }
  return found;
}

test("whatever the parents are, every record is shown and every walk ends", () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const shown = shownRecords(table, graph);
      const lost = Array.from({ length: table.records.size }, (_, record) => record).filter(
        (record) => !shown.has(record),
      );
      expect(lost).toEqual([]);
      for (let record = 0; record < table.records.size; record++) {
        let steps = 0;
        for (let up = record; up !== -1; up = at(graph.parents, up)) steps += 1;
        expect(steps).toBeLessThanOrEqual(table.records.size);
        expect([...blocksOf(table, record)].length).toBeGreaterThan(0);
      }
    }),
    sampled(20_260, 500, 100_000),
  );
});

test("the same records give the same graph, read at once or as they were appended", () => {
  fc.assert(
    fc.property(anyLines, fc.nat(), (lines, cut) => {
      const cold = tableOf(lines);
      const graph = buildGraph(cold, LOGS);
      expect(buildGraph(tableOf(lines), LOGS)).toEqual(graph);
      const half = lines.length === 0 ? 0 : cut % (lines.length + 1);
      const first = addLines(new SessionTable(), lines, 0, half);
      buildGraph(first, LOGS);
      const grown = addLines(new SessionTable(structuredClone(first.toData())), lines, half);
      expect(grown.records.trimmed()).toEqual(cold.records.trimmed());
      const regrown = buildGraph(grown, LOGS);
      expect(regrown).toEqual(graph);
      expect(countSession(grown, regrown)).toEqual(countSession(cold, graph));
    }),
    sampled(20_261, 250, 50_000),
  );
});

/** A graph without numbers: parents, steps and the ends of branches, by uuid. */
function shapeOf(table: SessionTable, graph: SessionGraph, names: ReadonlyMap<number, string>) {
  const nameOf = (record: number) =>
    record === -1 ? "nothing" : (names.get(table.records.uuid.at(record)) ?? "?");
  const parents: Record<string, string> = {};
  const steps = new Map<number, string[]>();
  for (let record = 0; record < table.records.size; record++) {
    parents[nameOf(record)] = nameOf(at(graph.parents, record));
    const step = at(graph.steps.of, record);
    steps.set(step, [...(steps.get(step) ?? []), nameOf(record)].sort());
  }
  const leaves = graph.branches
    .map((branches) => branches.map(({ leaf }) => (steps.get(leaf) ?? []).join(" ")))
    .map((own) => own.sort((a, b) => a.localeCompare(b)).join("; "))
    .sort((a, b) => a.localeCompare(b));
  return { parents, steps: [...steps.values()].map((step) => step.join(" ")).sort(), leaves };
}

test("the order in which independent lines were written changes nothing", () => {
  fc.assert(
    fc.property(wellFormedLines, fc.infiniteStream(fc.nat()), (lines, numbers) => {
      const keys = new Map(lines.map((line) => [line, numbers.next().value ?? 0]));
      const shuffled = lines.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
      const [one, other] = [lines, shuffled].map((list) => {
        const table = tableOf(list);
        const names = new Map(
          list.map(({ json }) => [table.uuids.find(String(json.uuid)), String(json.uuid)]),
        );
        return shapeOf(table, buildGraph(table, LOGS), names);
      });
      expect(other).toEqual(one);
    }),
    sampled(20_262, 250, 50_000),
  );
});

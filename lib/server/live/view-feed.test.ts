import { expect, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { isForkRow } from "@/lib/log/rows/flatten";
import { Level } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import { LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { rowsOfChange } from "./view-feed";

const said = (uuid: string, parentUuid: string | null): TestLine => ({
  file: 0,
  json: {
    type: "assistant",
    uuid,
    parentUuid,
    // Two blocks a line: the numbers of blocks are not those of their records.
    message: { id: uuid, role: "assistant", content: ["one", "two"].map((text) => ({ type: "text", text })) },
  },
});

/** The rows that are told again when another session says something else of these lines. */
function toldAgain(lines: TestLine[], records: number[]): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const branch = graph.branches[0]?.[0];
  if (!branch) throw new Error("no branch");
  const { list } = openBranch(table, graph, branch, Level.tools);
  const changed = { calls: new Set<number>(), messages: new Set<number>(), records: new Set(records) };
  const rows = rowsOfChange({ table, rowsOfCalls: () => [] }, branch, list, changed);
  return rows.map((row) => `${row}${isForkRow(at(list.kind, row)) ? ", a fork" : ""}`);
}

test("a fork at the end of a way is told again with the line that it stands behind, and with no other", () => {
  // The client goes back to the second of four lines.
  const back: TestLine = { file: 0, json: { type: "last-prompt", leafUuid: "b", explicit: true } };
  const lines = [said("a", null), said("b", "a"), said("c", "b"), said("d", "c"), back];
  expect(toldAgain(lines, [1])).toEqual(["2", "3", "4, a fork"]);
  expect(toldAgain(lines, [0])).toEqual(["0", "1"]);
});

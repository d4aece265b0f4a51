import { expect, test } from "vitest";
import type { SessionLog } from "@/lib/log/table/session-table";
import { LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];
const line = (json: Json, file = 0): TestLine => ({ file, json });
const use = (uuid: string, parentUuid: string, tool: string): TestLine =>
  line({
    type: "assistant",
    uuid,
    parentUuid,
    message: { id: "m", content: [{ type: "tool_use", id: tool, name: "Read", input: {} }] },
  });
const result = (uuid: string, parentUuid: string, tool: string): TestLine =>
  line({
    type: "user",
    uuid,
    parentUuid,
    message: { content: [{ type: "tool_result", tool_use_id: tool, content: "ok" }] },
  });
const prompt = (uuid: string, parentUuid: string | null, file = 0, more: Json = {}): TestLine =>
  line({ type: "user", uuid, parentUuid, message: { content: `prompt ${uuid}` }, ...more }, file);

/** The branches of every thread, each as its uuids in reading order. */
function branchesOf(lines: TestLine[], logs: readonly SessionLog[] = LOGS): string[][] {
  const table = tableOf(lines);
  const graph = buildGraph(table, logs);
  const names = new Map(
    lines
      .filter(({ json }) => json.uuid)
      .map(({ json }) => [table.uuids.find(String(json.uuid)), String(json.uuid)]),
  );
  return graph.branches.map((branches) =>
    branches.map((branch) =>
      Array.from(
        openBranch(table, graph, branch).path.records,
        (record) => names.get(table.records.uuid.at(record)) ?? "?",
      ).join(" "),
    ),
  );
}

test("parallel calls are one step: a chain up to 2.0.76, a fan from 2.1.29", () => {
  const start = [prompt("p", null), use("a", "p", "t1"), use("b", "a", "t2")];
  const chain = [...start, result("ra", "b", "t1"), result("rb", "ra", "t2"), prompt("q", "rb")];
  const fan = [...start, result("rb", "b", "t2"), result("ra", "a", "t1"), prompt("q", "ra")];
  expect(branchesOf(chain)[0]).toEqual(["p a b ra rb q"]);
  expect(branchesOf(fan)[0]).toEqual(["p a b rb ra q"]);
});

test("the reading order is the graph's if a line precedes its parent (2.1.110)", () => {
  expect(
    branchesOf([prompt("p", null), use("c", "b", "t3"), use("a", "p", "t1"), use("b", "a", "t2")])[0],
  ).toEqual(["p a b c"]);
});

test("progress beside the chain is no branch, and is shown where it was written", () => {
  const progress = line({ type: "progress", uuid: "x", parentUuid: "a", data: {} });
  expect(
    branchesOf([
      prompt("p", null),
      use("a", "p", "t1"),
      progress,
      result("ra", "a", "t1"),
      prompt("q", "ra"),
    ])[0],
  ).toEqual(["p a x ra q"]);
});

test("a thread without a conversation can be read", () => {
  expect(branchesOf([line({ type: "from-the-future", uuid: "x" }), line({ type: "mode" })])[0]).toEqual([
    "x ?",
  ]);
});

test("threads whose parents form a circle end", () => {
  const logs = [...LOGS.slice(0, 2), { key: "00000003", agentId: "a3", meta: null }];
  const side = { isSidechain: true };
  const lines = [
    line({ type: "from-the-future", uuid: "x", parentUuid: null }, 1),
    prompt("z", "w", 1, side),
    prompt("y", "x", 2, side),
    line(
      {
        type: "assistant",
        uuid: "w",
        parentUuid: "y",
        isSidechain: true,
        message: { id: "w", content: "w" },
      },
      2,
    ),
  ];
  expect(branchesOf(lines, logs).flat().sort()).toEqual(["x z", "y w"]);
});

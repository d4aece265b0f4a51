import fc from "fast-check";
import { expect, test } from "vitest";
import { graphFacts } from "@/lib/testing/graph/graph-facts";
import { wellFormedLines } from "@/lib/testing/graph/record-tree";
import { FollowedBranchPoints } from "@/lib/testing/model/followed-branch-points";
import { FollowedItems } from "@/lib/testing/model/followed-items";
import { LineWriter, nothingBefore } from "@/lib/testing/model/line-writer";
import { anyLines, LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { findForks } from "./branch-points";
import { IncrementalGraph } from "./incremental-graph";
import { buildGraph } from "./session-graph";

const SEQUENCES = sampled(20_264, 80, 20_000);

/** Ids of calls and messages are no other file's, and the queue is the main log's: who comes first depends on what is read first. */
function apart({ file, json }: TestLine): TestLine {
  const text = JSON.stringify(json)
    .replaceAll(/"(tool_use_id|id)":"([tm]\d)"/g, `"$1":"$2-${file}"`)
    .replaceAll(/"parentToolUseID":"(t\d)"/g, `"parentToolUseID":"$1-${file}"`);
  return { file: json.type === "queue-operation" ? 0 : file, json: JSON.parse(text) as TestLine["json"] };
}

type Counts = { fast: number; full: number; listed: number };

function follow(lines: readonly TestLine[], cuts: readonly number[]): Counts {
  const counts = { fast: 0, full: 0, listed: 0 };
  let writer = new LineWriter();
  let graph = buildGraph(writer.table, LOGS);
  let growing = new IncrementalGraph(writer.table, LOGS, graph);
  let points = new FollowedBranchPoints(writer.table, LOGS, graph);
  let items = new FollowedItems(writer.table);
  for (let from = 0, turn = 0; from < lines.length; turn++) {
    const to = Math.min(lines.length, from + 1 + ((cuts[turn % cuts.length] ?? 0) % 4));
    const before = nothingBefore();
    for (const line of lines.slice(from, to)) writer.write(line, before);
    from = to;
    const growth = growing.grow(LOGS);
    const cold = tableOf(lines.slice(0, to));
    const whole = buildGraph(cold, LOGS);
    const facts = [
      graphFacts(cold, LOGS, whole),
      FollowedBranchPoints.cold(cold, LOGS, whole, points.follow(growth, before)),
    ];
    expect(growth ? [graphFacts(writer.table, LOGS, growth.graph), points.facts()] : facts).toEqual(facts);
    expect(points.wrong).toEqual([]);
    const listed = growth && items.follow(growth, before);
    expect(listed?.followed).toEqual(listed?.anew);
    if (growth) {
      counts.fast += 1;
      if (listed?.grown) counts.listed += 1;
      continue;
    }
    counts.full += 1;
    writer = new LineWriter();
    for (const line of lines.slice(0, to).toSorted((a, b) => a.file - b.file))
      writer.write(line, nothingBefore());
    graph = buildGraph(writer.table, LOGS);
    growing = new IncrementalGraph(writer.table, LOGS, graph);
    points = new FollowedBranchPoints(writer.table, LOGS, graph);
    items = new FollowedItems(writer.table);
  }
  return counts;
}

/**
 * Ends the task after every 200 sequences: until a task ends, V8 keeps whatever a weak reference of it points to.
 */
async function restNow(run: number): Promise<void> {
  if (run % 200 === 0) await new Promise((resolve) => setTimeout(resolve));
}

const cuts = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 });

test("a graph that grows equals the graph of the whole table, whatever the parents are", async () => {
  let fast = 0;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyLines, cuts, async (lines, at) => {
      await restNow(run++);
      fast += follow(lines.map(apart), at).fast;
    }),
    SEQUENCES,
  );
  expect(fast).toBeGreaterThan(SEQUENCES.numRuns / 2);
});

test("an agent's branch that passes through the main thread adds no fork there", () => {
  const text = (uuid: string, parentUuid: string) => ({
    type: "user",
    uuid,
    parentUuid,
    message: { content: [{ type: "text", text: "fix it" }] },
  });
  const lines = [
    { file: 0, json: text("u1", "u5") },
    { file: 1, json: text("u1", "u1") },
    { file: 1, json: text("u5", "u4") },
    { file: 1, json: { type: "assistant", uuid: "u8", parentUuid: "nowhere", message: { content: [] } } },
  ];
  expect(follow(lines, [0])).toMatchObject({ fast: 2, full: 2 });
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const forks = graph.branches.flat().map((branch) => {
    const { records } = openBranch(table, graph, branch).path;
    const lineOf = (record: number) => table.records.line.at(record);
    return `${Array.from(records, lineOf).join(" ")}, forks before ${[...findForks(graph, { records }).before].map(lineOf).join(" ") || "none"}`;
  });
  // The agent's two branches fork where they begin, and nowhere else.
  expect(forks).toEqual(["2 1, forks before none", "2 3, forks before 2", "1, forks before 1"]);
});

test("a line below a step through which the main thread leads to another file may reorder its branches", () => {
  const answer = { type: "assistant", uuid: "u1", message: { id: "m1", content: [] } };
  const lines = [
    {
      file: 0,
      json: { type: "user", isCompactSummary: true, uuid: "u2", parentUuid: "u7", isSidechain: true },
    },
    { file: 2, json: { ...answer, parentUuid: "u2" } },
    { file: 0, json: { ...answer, parentUuid: "nowhere" } },
    { file: 0, json: { type: "queue-operation", uuid: "u6", parentUuid: "u2", isSidechain: true } },
  ];
  const { branches } = buildGraph(tableOf(lines), LOGS);
  expect(branches[0]?.map(({ leafRecord }) => leafRecord)).toEqual([3, 1]);
  expect(follow(lines, [0]).full).toBeGreaterThan(0);
});

test("a line that continues a lost answer moves what followed it", () => {
  const answer = (model: string, uuid: string, parentUuid: string) => ({
    type: "assistant",
    uuid,
    parentUuid,
    message: { id: "m1", model, content: [] },
  });
  const result = { type: "tool_result", tool_use_id: "t1", content: "done" };
  const lines = [
    { file: 0, json: { type: "user", uuid: "u9", parentUuid: "u1", message: { content: [result] } } },
    { file: 2, json: answer("model", "u9", "u9") },
    { file: 0, json: answer("<synthetic>", "u11", "u1") },
    { file: 2, json: answer("<synthetic>", "u2", "u1") },
  ];
  expect(follow(lines, [0]).full).toBeGreaterThan(0);
});

test("where steps in a circle through files are cut depends on no other line", () => {
  const answer = (id: string, uuid: string, parentUuid: string) => ({
    type: "assistant",
    uuid,
    parentUuid,
    message: { id, model: "model", content: [] },
  });
  const lines = [
    { file: 2, json: answer("m1", "u1", "nowhere") },
    { file: 1, json: { type: "user", uuid: "u2", parentUuid: "u1", message: { content: "fix it" } } },
    { file: 2, json: answer("m1", "u3", "u2") },
    { file: 1, json: answer("m2", "u4", "nowhere") },
  ];
  expect(follow(lines, [0])).toMatchObject({ fast: 2, full: 2 });
  // The agent's prompt is read first of the circle, and so is the one that stays a root.
  const { steps } = buildGraph(tableOf(lines), LOGS);
  expect(Array.from(steps.of, (step) => steps.parent[step] === -1)).toEqual([true, false, false, false]);
});

test("a prompt that follows a compaction is not the one after which a second without a parent is a root", () => {
  const prompt = (uuid: string) => ({ type: "user", uuid, parentUuid: null, message: { content: "fix it" } });
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "u1", logicalParentUuid: "u9" };
  const lines = [
    { file: 0, json: { ...boundary, parentUuid: "u3" } },
    { file: 0, json: prompt("u2") },
    { file: 0, json: prompt("u3") },
  ];
  expect(follow(lines, [0]).full).toBeGreaterThan(0);
});

test("lines as a client writes them rarely cause a rebuild", async () => {
  const total = { fast: 0, full: 0, listed: 0 };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(wellFormedLines, cuts, async (lines, at) => {
      await restNow(run++);
      const { fast, full, listed } = follow(lines, at);
      total.fast += fast;
      total.full += full;
      total.listed += listed;
    }),
    SEQUENCES,
  );
  expect(total.fast).toBeGreaterThan(SEQUENCES.numRuns);
  expect(total.listed).toBeGreaterThan(SEQUENCES.numRuns / 8);
  expect(total.full).toBe(0);
});

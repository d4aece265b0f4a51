import fc from "fast-check";
import { expect, test } from "vitest";
import { IncrementalGraph } from "@/lib/log/graph/incremental-graph";
import { buildGraph, type SessionGraph, turnMs } from "@/lib/log/graph/session-graph";
import type { JsonObject } from "@/lib/log/records/json";
import { LineWriter, nothingBefore } from "@/lib/testing/model/line-writer";
import { LOGS, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { IncrementalPath } from "./incremental-path";
import { promptSettings } from "./turn-row";

type Timed = readonly [atS: number, JsonObject];

/** Lines that each follow the one before. */
function chained(lines: readonly Timed[]): JsonObject[] {
  return lines.map(([atS, line], n) => {
    const timestamp = new Date(1.7e12 + atS * 1000).toISOString();
    return { uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}`, timestamp, ...line };
  });
}

const secondsOf = ({ path }: IncrementalPath) => path.turns.slice(1).map((turn) => turnMs(turn) / 1000);
const leafOf = ({ branches }: SessionGraph) => branches[0]?.[0]?.leaf ?? 0;

/** The seconds that each turn took. */
function turnsOf(lines: readonly Timed[]): number[] {
  const table = tableOf(chained(lines).map((json) => ({ file: 0, json })));
  const graph = buildGraph(table, LOGS);
  return secondsOf(new IncrementalPath(table, graph, leafOf(graph)));
}

const user = (content: unknown): JsonObject => ({ type: "user", message: { role: "user", content } });

test("a turn ends before its person types a command for the model, a day later", () => {
  let count = 0;
  const answer = (): JsonObject => {
    const content = [{ type: "text", text: "Done" }];
    return { type: "assistant", message: { id: `m${++count}`, role: "assistant", content } };
  };
  const review = user("<command-message>review</command-message>\n<command-name>/review</command-name>");
  const cost = user("<command-name>/cost</command-name>\n<command-message>cost</command-message>");
  const begun: Timed[] = [
    [0, user("Fix it")],
    [10, answer()],
  ];
  expect(turnsOf([...begun, [86_400, review], [86_405, answer()]])).toEqual([15]);
  expect(turnsOf([...begun, [50, cost], [86_400, review], [86_405, answer()]])).toEqual([15]);
  // 2.1.330 answers what a command for the shell has said.
  const shell = [user("<bash-input>npm test</bash-input>"), user("<bash-stdout>ok</bash-stdout>")] as const;
  expect(turnsOf([...begun, [100, shell[0]], [104, shell[1]], [106, answer()]])).toEqual([16]);
  // Nothing came of it; the client answered itself while the model worked; a background task of the turn reported to
  // it.
  expect(turnsOf([...begun, [86_400, review]])).toEqual([10]);
  expect(turnsOf([...begun, [20, cost], [40, answer()]])).toEqual([40]);
  const told = user("<task-notification>\n<task-id>a1</task-id>\n</task-notification>");
  expect(turnsOf([...begun, [20, review], [60, told], [62, answer()]])).toEqual([62]);
});

test("turns that are followed line by line have the same durations as those that are read at once", () => {
  const result = (id: number) => ({ type: "tool_result", tool_use_id: `t${id}`, content: "ok" });
  const call = (id: number): JsonObject => {
    const content = [{ type: "tool_use", id: `t${id}`, name: "Bash", input: {} }];
    return { type: "assistant", message: { id: `m${id}`, role: "assistant", content } };
  };
  const review = user("<command-message>review</command-message>");
  const line = fc.oneof(
    { weight: 1, arbitrary: fc.constant(user("Fix it")) },
    { weight: 3, arbitrary: fc.nat(3).map(call) },
    { weight: 3, arbitrary: fc.nat(3).map((id) => user([result(id)])) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)).map((ids) => user(ids.map(result))) },
    { weight: 3, arbitrary: fc.constant(review) },
    { weight: 1, arbitrary: fc.constant(user("<task-notification></task-notification>")) },
  );
  const lines = fc.array(fc.tuple(fc.nat(40), line), { minLength: 2, maxLength: 16 });
  // One line answers both calls and stands with the last, so only the count is corrected at the first.
  const bothAnswered: [number, JsonObject][] = [
    [0, user("Fix it")],
    [5, call(0)],
    [20, review],
    [25, call(1)],
    [40, user([1, 0].map(result))],
  ];
  // The pause before the call ends with the notification, and only the late result says that the call was at work then.
  const toldBetween: [number, JsonObject][] = [
    [14, user("Fix it")],
    [17, review],
    [13, call(0)],
    [34, user("<task-notification></task-notification>")],
    [34, user([1, 0].map(result))],
  ];
  fc.assert(
    fc.property(lines, (timed) => {
      const writer = new LineWriter();
      const [first, ...others] = chained(timed);
      writer.write({ file: 0, json: first ?? {} }, nothingBefore());
      const graph = buildGraph(writer.table, LOGS);
      const growing = new IncrementalGraph(writer.table, LOGS, graph);
      const path = new IncrementalPath(writer.table, graph, leafOf(graph));
      for (const [index, json] of others.entries()) {
        const before = nothingBefore();
        writer.write({ file: 0, json }, before);
        const growth = growing.grow(LOGS);
        if (!growth) return;
        path.grow(growth, leafOf(growth.graph), before);
        expect(secondsOf(path)).toEqual(turnsOf(timed.slice(0, index + 2)));
      }
    }),
    { ...sampled(20261127, 300, 20_000), examples: [[bothAnswered], [toldBetween]] },
  );
});

// Fields as 1.0.128 to 2.1.330 recorded them.
test.each<[string, JsonObject]>([
  ["", {}],
  ["", { thinkingMetadata: { level: "none", disabled: false, triggers: [] }, todos: [] }],
  ["", { thinkingMetadata: { level: "high", disabled: true, triggers: [] } }],
  [
    "thinking: low",
    { thinkingMetadata: { level: "low", disabled: false, triggers: [{ start: 0, end: 5 }] } },
  ],
  ["thinking: up to 31,999 tokens", { thinkingMetadata: { maxThinkingTokens: 31_999 } }],
  ["", { permissionMode: "default" }],
  ["permissions: plan; plan: indexed-baking-prism", { permissionMode: "plan", slug: "indexed-baking-prism" }],
  ["effort: high", { effort: "high" }],
  [
    "to do: 1 of 2 done, next: test",
    {
      todos: [
        { content: "build", status: "completed" },
        { content: "test", status: "pending" },
      ],
    },
  ],
  ["", { permissionMode: 7, slug: [], thinkingMetadata: "high", todos: "none", effort: null }],
])("%s", (expected, json) => {
  const told = Object.entries(promptSettings(json)).map(([name, value]) => `${name}: ${value}`);
  expect(told.join("; ")).toBe(expected);
});

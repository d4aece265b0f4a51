import { expect, it } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import type { JsonObject } from "@/lib/log/records/json";
import { LOGS, openBranch, tableOf } from "@/lib/testing/records";
import { startOf, workEnd, workEndBefore } from "./turn-times";

const DAY_MS = Date.UTC(2026, 0, 1);

type Told = [id: string, parent: string | null, second: number | null, content: unknown, more?: JsonObject];

const line = ([uuid, parentUuid, second, content, more = {}]: Told) => {
  const role = uuid.startsWith("a") ? "assistant" : "user";
  const timestamp = second === null ? undefined : new Date(DAY_MS + second * 1000).toISOString();
  const message = { role, ...(role === "assistant" && { id: `m-${uuid}` }), content };
  return { file: 0, json: { type: role, uuid, parentUuid, timestamp, message, ...more } as JsonObject };
};
const said = [{ type: "text", text: "done" }];
const call = (id: string) => [{ type: "tool_use", id, name: "Bash", input: { command: "npm test" } }];
const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "ok" }];

/** A branch of these lines, asked in seconds. */
function opened(...told: Told[]) {
  const table = tableOf(told.map(line));
  const graph = buildGraph(table, LOGS);
  const { path } = openBranch(table, graph, graph.branches[0]?.[0] as never);
  const log = { table, graph, agentsOf: new Map() };
  const seconds = (ms: number) => (ms - DAY_MS) / 1000;
  return {
    endOf: (turn: number) => seconds(workEnd(log, path, turn)),
    endBefore: (turn: number) => seconds(workEndBefore(log, path, turn)),
    start: (turn: number, beforeSecond: number) =>
      seconds(startOf(table, path, turn, DAY_MS + beforeSecond * 1000)),
  };
}

it("a turn's work ends with its last answer or result, and with none of what is typed or noted behind that", () => {
  const { endOf, endBefore } = opened(
    ["u1", null, 0, "fix it"],
    ["a1", "u1", 2, call("t1")],
    ["r1", "a1", 8, result("t1")],
    ["a2", "r1", 9, said],
    ["u2", "a2", 60, "go on"],
    ["u3", "u2", 90, "and on"],
    ["a3", "u3", 95, said],
  );
  expect([endOf(1), endOf(2), endOf(3)]).toEqual([9, Number.NaN, 95]);
  // Of what was never answered there is no work: the turn before it is the last one.
  expect([endBefore(1), endBefore(2), endBefore(3)]).toEqual([Number.NaN, 9, 9]);
});

it("a turn begins with its prompt, or when the work that it was typed into has ended", () => {
  const { start } = opened(["u1", null, 10, "fix it"], ["a1", "u1", 30, said]);
  expect([start(1, 5), start(1, 20)]).toEqual([10, 20]);
  // Work that ends behind its own answer was not waited for.
  expect(start(1, 31)).toBe(10);
  expect(start(1, Number.NaN)).toBe(10);
  const undated = opened(["u1", null, null, "fix it"], ["a1", "u1", 30, said]);
  // Its first line with a time tells when one began whose prompt has none.
  expect(undated.start(1, 20)).toBe(30);
});

import { expect, test } from "vitest";
import type { SessionLog } from "@/lib/log/table/session-table";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { agentStateOf } from "./agent-state";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];
const at = (seconds: number) => ({ timestamp: `2026-01-02T03:04:${String(seconds).padStart(2, "0")}.000Z` });
const log = (agentId: string, more: Partial<SessionLog> = {}): SessionLog => ({
  key: agentId,
  agentId,
  meta: null,
  ...more,
});
const MAIN: SessionLog = { key: "m", agentId: null, meta: null };

const start = (uuid: string, tool: string, prompt: string, seconds: number): Json => ({
  type: "assistant",
  uuid,
  parentUuid: null,
  ...at(seconds),
  message: { id: uuid, content: [{ type: "tool_use", id: tool, name: "Task", input: { prompt } }] },
});
const result = (
  uuid: string,
  tool: string,
  toolUseResult: Json,
  seconds: number,
  is_error = false,
): Json => ({
  type: "user",
  uuid,
  parentUuid: null,
  ...at(seconds),
  toolUseResult,
  message: { content: [{ type: "tool_result", tool_use_id: tool, is_error, content: "done" }] },
});
const asked = (uuid: string, prompt: string, seconds: number): Json => ({
  type: "user",
  uuid,
  parentUuid: null,
  isSidechain: true,
  ...at(seconds),
  message: { content: prompt },
});

/** Each thread but the main one: its id, its calls by their tool-use ids, its state. */
function agents(logs: SessionLog[], ...files: Json[][]): string[] {
  const table = tableOf(files.flatMap((lines, file) => lines.map((json) => ({ file, json }))));
  const names = ["t1", "t2", "t3"].map((id) => [table.callOf(table.toolIds.find(id)) ?? -2, id] as const);
  const nameOf = new Map(names);
  return buildGraph(table, [MAIN, ...logs])
    .threads.slice(1)
    .map((thread) => {
      const calls = [thread.call, ...thread.resumes].map((call) => nameOf.get(call) ?? "no call").join(" + ");
      return `${thread.agentId} by ${calls}: ${thread.internal ? "internal" : agentStateOf(table, thread)}`;
    });
}

test("agents are in the order of their calls, not of their files' names", () => {
  const main = [
    start("a", "t1", "first", 1),
    start("b", "t2", "second", 2),
    result("r", "t1", { agentId: "zz" }, 3),
    result("s", "t2", { agentId: "aa" }, 4),
  ];
  expect(agents([log("aa"), log("zz")], main, [asked("x", "second", 2)], [asked("y", "first", 1)])).toEqual([
    "zz by t1: done",
    "aa by t2: done",
  ]);
});

test("a call that resumes an agent is its call too (2.0.76)", () => {
  const main = [
    start("a", "t1", "first", 1),
    result("r", "t1", { agentId: "aa" }, 2),
    start("b", "t2", "go on", 3),
    result("s", "t2", { agentId: "aa" }, 4, true),
  ];
  expect(agents([log("aa")], main, [asked("x", "first", 1), asked("y", "go on", 3)])).toEqual([
    "aa by t1 + t2: failed",
  ]);
});

test("a message that sets an agent going again is its call too (2.1.200 and later)", () => {
  const main = [
    start("a", "t1", "first", 1),
    result("r", "t1", { agentId: "aa", isAsync: true, status: "async_launched" }, 2),
    start("b", "t2", "", 3),
    result("s", "t2", { success: true, message: "Resuming agent aa", resumedAgentId: "aa" }, 4),
  ];
  expect(agents([log("aa")], main, [asked("x", "first", 1)])).toEqual(["aa by t1 + t2: unknown"]);
});

test("a background agent has ended when a notification says so", () => {
  const launched = [
    start("a", "t1", "first", 1),
    result("r", "t1", { agentId: "aa", isAsync: true, status: "async_launched" }, 2),
  ];
  const told = (status: string): Json => ({
    type: "user",
    uuid: "n",
    parentUuid: "r",
    ...at(9),
    message: {
      content: `<task-notification>\n<task-id>aa</task-id>\n<status>${status}</status>\n</task-notification>`,
    },
  });
  const agent = [asked("x", "first", 1)];
  expect(agents([log("aa")], launched, agent)).toEqual(["aa by t1: unknown"]);
  expect(agents([log("aa")], [...launched, told("completed")], agent)).toEqual(["aa by t1: done"]);
  expect(agents([log("aa")], [...launched, told("killed")], agent)).toEqual(["aa by t1: interrupted"]);
  expect(agents([log("aa")], [...launched, told("failed")], agent)).toEqual(["aa by t1: failed"]);
});

test("a notification may say of several agents that they ended with their client (2.1.332)", () => {
  const both = [start("m1", "t1", "look", 1), start("m2", "t2", "test", 2)];
  const launched = ["aa", "bb"].map((agentId, i) =>
    result(`r${i}`, `t${i + 1}`, { isAsync: true, agentId }, 3),
  );
  const told = {
    ...{ type: "user", uuid: "n", parentUuid: "r1", ...at(9) },
    message: {
      content:
        "<task-notification>\n<task-id>aa</task-id>\n<task-id>bb</task-id>\n<status>stopped</status>\n<summary>2 background agents didn't finish</summary>\n</task-notification>",
    },
  };
  const own = [[asked("a", "look", 4)], [asked("b", "test", 4)]];
  expect(agents([log("aa"), log("bb")], [...both, ...launched], ...own)).toEqual([
    "aa by t1: unknown",
    "bb by t2: unknown",
  ]);
  expect(agents([log("aa"), log("bb")], [...both, ...launched, told], ...own)).toEqual([
    "aa by t1: interrupted",
    "bb by t2: interrupted",
  ]);
});

test("all agents of a workflow belong to its call (2.1.330)", () => {
  const main = [start("a", "t1", "", 1), result("r", "t1", { runId: "wf_1", status: "async_launched" }, 2)];
  const logs = [log("aa", { runId: "wf_1" }), log("bb", { runId: "wf_1" })];
  expect(agents(logs, main, [asked("x", "check", 5)], [asked("y", "look", 4)])).toEqual([
    "bb by t1: unknown",
    "aa by t1: unknown",
  ]);
});

test("sidechains of the main log are agents by their prompt, also where a child stands first (1.0.128)", () => {
  const reply: Json = {
    type: "assistant",
    uuid: "y",
    parentUuid: "x",
    isSidechain: true,
    ...at(3),
    message: { id: "y", content: "yes" },
  };
  const found = agents(
    [],
    [start("a", "t1", "first", 1), reply, asked("x", "first", 2), result("r", "t1", {}, 4)],
  );
  expect(found.map((line) => line.replace(/^side\w+/, "side"))).toEqual(["side by t1: done"]);
});

test("a skill that was called as a command has an agent that no call started (2.1.330)", () => {
  const skill: Json = { ...asked("x", "Read the diff.", 2), isMeta: true, agentId: "aa" };
  const answer: Json = {
    ...asked("y", "", 3),
    type: "assistant",
    parentUuid: "x",
    message: { id: "y", content: "Fine" },
  };
  expect(agents([log("aa")], [], [skill, answer])).toEqual(["aa by no call: unknown"]);
  // What the client adds to an agent's thread later is no prompt.
  const added: Json = { ...skill, uuid: "z", parentUuid: "y" };
  expect(agents([log("aa")], [], [answer, added])).toEqual(["aa by no call: internal"]);
});

test("agents of one prompt that no result names belong to the calls in the order in which they began (2.1.90)", () => {
  const calls = [start("a", "t1", "look", 1), start("b", "t2", "look", 1)];
  const stopped = ["t1", "t2"].map((tool) => result(`r-${tool}`, tool, {}, 9, true));
  const found = agents(
    [log("aa"), log("zz")],
    [...calls, ...stopped],
    [asked("x", "look", 3)],
    [asked("y", "look", 2)],
  );
  expect(found.map((line) => line.replace(/:.*/, ""))).toEqual(["zz by t1", "aa by t2"]);
});

test("warm-ups and suggestions belong to no call", () => {
  expect(
    agents(
      [log("aa"), log("aprompt_suggestion-1")],
      [],
      [asked("x", "Warmup", 1)],
      [asked("y", "[SUGGESTION MODE]", 2)],
    ),
  ).toEqual(["aa by no call: internal", "aprompt_suggestion-1 by no call: internal"]);
});

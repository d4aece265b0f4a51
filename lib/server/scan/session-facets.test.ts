import { expect, test } from "vitest";
import { countSession } from "@/lib/log/graph/session-counts";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { facetsOf } from "./session-facets";

type Json = TestLine["json"];

const at = (minute: number) => ({ timestamp: `2026-01-02T03:${String(minute).padStart(2, "0")}:00.000Z` });

function call(id: string, name: string, input: Json, more: Json = {}): Json {
  const content = [{ type: "tool_use", id, name, input }];
  return {
    type: "assistant",
    uuid: `use ${id}`,
    message: { id: `m ${id}`, role: "assistant", content },
    ...more,
  };
}

function result(id: string, more: Json = {}): Json {
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  return {
    type: "user",
    uuid: `result ${id}`,
    parentUuid: `use ${id}`,
    message: { role: "user", content },
    ...more,
  };
}

/** A call that changed a file, with its result. */
function edit(id: string, path: string): Json[] {
  const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];
  return [
    call(id, "Edit", { file_path: path }),
    result(id, { toolUseResult: { filePath: path, structuredPatch } }),
  ];
}

function facets(lines: readonly TestLine[]) {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  return facetsOf(table, graph, countSession(table, graph));
}
const ofMain = (...lines: Json[]) => lines.map((json) => ({ file: 0, json }));
const agents = (...lines: Json[]) =>
  lines.map((json) => ({ file: 1, json: { ...json, isSidechain: true, agentId: "a1" } }));

test("tools and changed files are named once each, in alphabetical order, and each change counts", () => {
  const found = facets(
    ofMain(
      ...edit("t1", "/shop/till.ts"),
      ...edit("t2", "/shop/cart.ts"),
      ...edit("t3", "/shop/till.ts"),
      call("t4", "Bash", { command: "npm test" }),
      result("t4"),
    ),
  );
  expect(found).toMatchObject({
    tools: ["Bash", "Edit"],
    paths: ["/shop/cart.ts", "/shop/till.ts"],
    diffs: 3,
    unanswered: 0,
  });
});

test("a call that an agent's log repeats counts once, and so does one without a result", () => {
  const lines = [...edit("t1", "/shop/till.ts"), call("t2", "Bash", { command: "npm test" })];
  expect(facets([...ofMain(...lines), ...agents(...lines)])).toMatchObject({ diffs: 1, unanswered: 1 });
});

test("a result whose call is in no log is no call without a result", () => {
  expect(facets(ofMain(result("t1"))).unanswered).toBe(0);
});

test("types of agents are told, of the client's own none", () => {
  const said = (text: string): Json => ({
    type: "user",
    uuid: text,
    message: { role: "user", content: text },
  });
  const own = (text: string): Json => ({
    ...said(text),
    isSidechain: true,
    agentId: "aprompt_suggestion-2",
  });
  const found = facets([
    ...ofMain(said("go"), call("t1", "Agent", { prompt: "look", subagent_type: "Explore" })),
    ...agents(said("look")),
    { file: 2, json: own("suggest") },
  ]);
  expect([found.agentTypes, found.sidechains]).toEqual([["Explore"], false]);
});

test("the main log's own sidechains are told (1.0.128)", () => {
  const side = { type: "user", uuid: "s1", isSidechain: true, message: { role: "user", content: "look" } };
  expect(facets(ofMain(side)).sidechains).toBe(true);
});

test("the earliest and the latest time are those of any line, in whatever order they stand", () => {
  const line = (uuid: string, more: Json): Json => ({
    type: "user",
    uuid,
    message: { role: "user", content: uuid },
    ...more,
  });
  const times = ({ firstAtMs, lastAtMs }: ReturnType<typeof facets>) =>
    [firstAtMs, lastAtMs].map((ms) => (ms === null ? null : new Date(ms).getUTCMinutes()));
  const all = [
    ...ofMain(line("u1", at(20)), line("u2", at(30))),
    ...agents(line("u3", at(10)), line("u4", {})),
  ];
  expect(times(facets(all))).toEqual([10, 30]);
  expect(times(facets(ofMain(line("u1", {}))))).toEqual([null, null]);
});

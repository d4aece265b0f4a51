import { expect, test } from "vitest";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { countSession, sessionActivity } from "./session-counts";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];

/** A call and its result, a second apart, in this minute of an hour. */
function call(id: string, minute: number, result: string): Json[] {
  const time = (second: number) => `2026-01-02T03:${String(minute).padStart(2, "0")}:0${second}.000Z`;
  const use = [{ type: "tool_use", id, name: "Bash", input: { command: "npm test" } }];
  const given = [{ type: "tool_result", tool_use_id: id, content: result, is_error: true }];
  return [
    { type: "assistant", uuid: `use ${id}`, timestamp: time(0), message: { id: `m ${id}`, content: use } },
    {
      type: "user",
      uuid: `result ${id}`,
      parentUuid: `use ${id}`,
      timestamp: time(1),
      message: { role: "user", content: given },
    },
  ];
}

test("a session's activity marks calls that failed, and not those that were refused: they are no errors", () => {
  const lines = [
    ...call("failed", 0, "exit code 1"),
    ...call("refused", 30, "The user doesn't want to proceed with this tool use. The tool use was rejected"),
    ...call("failed again", 59, "exit code 1"),
  ];
  const table = tableOf(lines.map((json) => ({ file: 0, json })));
  const graph = buildGraph(table, LOGS);
  expect(countSession(table, graph)).toMatchObject({ toolErrors: 3, toolsDenied: 1 });
  expect(sessionActivity(table, graph)?.errors).toEqual([0, 29]);
});

test("files that a session changed are counted once each, and calls that change none are not", () => {
  const edit = (id: string, filePath: string): Json[] => {
    const given = [{ type: "tool_result", tool_use_id: id, content: "updated" }];
    const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];
    return [
      {
        type: "assistant",
        uuid: `use ${id}`,
        message: {
          id: `m ${id}`,
          content: [{ type: "tool_use", id, name: "Edit", input: { file_path: filePath } }],
        },
      },
      {
        type: "user",
        uuid: `result ${id}`,
        parentUuid: `use ${id}`,
        message: { role: "user", content: given },
        toolUseResult: { filePath, oldString: "a", newString: "b", structuredPatch },
      },
    ];
  };
  const filesOf = (lines: Json[]) => {
    const table = tableOf(lines.map((json) => ({ file: 0, json })));
    return countSession(table, buildGraph(table, LOGS)).files;
  };
  const edits = [...edit("one", "/a.ts"), ...edit("two", "/b.ts"), ...edit("three", "/a.ts")];
  expect(filesOf([...edits, ...call("tested", 0, "exit code 1")])).toBe(2);
  expect(filesOf(call("tested", 0, "exit code 1"))).toBe(0);
});

test("a compaction counts once, also where the log of the client's own agent repeats it (2.1.90)", () => {
  const boundary = (uuid?: string): Json => ({ type: "system", subtype: "compact_boundary", uuid });
  const table = tableOf([
    { file: 0, json: boundary("k1") },
    { file: 0, json: boundary("k2") },
    { file: 1, json: { ...boundary("k1"), isSidechain: true } },
    { file: 1, json: { ...boundary("k3"), isSidechain: true } },
  ]);
  expect(countSession(table, buildGraph(table, LOGS)).compactions).toBe(3);
});

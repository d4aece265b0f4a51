import { expect, test } from "vitest";
import { toRecord } from "@/lib/log/records/parse-record";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { CallState } from "./kinds";
import { noteBefore } from "./previous-values";

type Json = TestLine["json"];

const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected";
const WORDS = new Map(Object.entries(CallState).map(([word, state]) => [state as number, word]));

const call = (tool: string, message: string): Json => ({
  type: "assistant",
  uuid: `use ${tool}`,
  message: { id: message, content: [{ type: "tool_use", id: tool, name: "Bash", input: {} }] },
});
const refused = (tool: string, more: Json = {}): Json => ({
  type: "user",
  uuid: `result ${tool}`,
  toolUseResult: "User rejected tool use",
  message: { content: [{ type: "tool_result", tool_use_id: tool, is_error: true, content: REFUSED }] },
  ...more,
});
const interrupted = (more: Json = {}): Json => ({
  type: "user",
  uuid: "interruption",
  message: { content: [{ type: "text", text: "[Request interrupted by user for tool use]" }] },
  ...more,
});

function states(lines: Json[]): string[] {
  const table = tableOf(lines.map((json) => ({ file: 0, json })));
  return ["t1", "t2"].flatMap((id) => {
    const found = table.callOfId[table.toolIds.find(id)];
    return found === undefined ? [] : [`${id} ${WORDS.get(table.calls.get("state", found))}`];
  });
}

test("a running call that Escape stopped reads like a refusal, and the interruption names its message (2.1.170, 2.1.330)", () => {
  const stop = interrupted({ interruptedMessageId: "m1" });
  expect(states([call("t1", "m1"), refused("t1"), stop])).toEqual(["t1 interrupted"]);
  const kind = { toolDenialKind: "user-rejected" };
  expect(states([call("t1", "m1"), refused("t1", kind), stop])).toEqual(["t1 interrupted"]);
  expect(states([call("t1", "m1"), call("t2", "m1"), refused("t1"), refused("t2"), stop])).toEqual([
    "t1 interrupted",
    "t2 interrupted",
  ]);
});

test("a dialog that was refused stays a refusal", () => {
  expect(states([call("t1", "m1"), refused("t1"), interrupted()])).toEqual(["t1 refused"]);
  const before = { toolDenialKind: "user-rejected", toolDenialBeforeRun: true };
  const stop = interrupted({ interruptedMessageId: "m1" });
  expect(states([call("t1", "m1"), refused("t1", before), stop])).toEqual(["t1 denied"]);
  // Another message's call is not what was interrupted.
  expect(states([call("t1", "m1"), refused("t1"), call("t2", "m2"), refused("t2"), stop])).toEqual([
    "t1 interrupted",
    "t2 refused",
  ]);
});

test("whoever shows the call is told that the interruption changes it", () => {
  const table = tableOf([call("t1", "m1"), refused("t1")].map((json) => ({ file: 0, json })));
  const stop = toRecord(interrupted({ interruptedMessageId: "m1" }), { offset: 1_000, length: 1, line: 3 });
  const before = { calls: new Map(), tokens: new Map() };
  noteBefore(table, stop, before);
  expect([...before.calls.keys()]).toEqual([table.callOfId[table.toolIds.find("t1")]]);
});

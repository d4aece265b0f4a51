import { describe, expect, test } from "vitest";
import { toRecord } from "@/lib/log/records/parse-record";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { resultState } from "./add-result";
import { CallState } from "./kinds";
import { notePreviousValues } from "./previous-values";

describe("add result", () => {
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
      return found === undefined ? [] : [`${id} ${WORDS.get(table.calls.state.at(found))}`];
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
    notePreviousValues(table, stop, before);
    expect([...before.calls.keys()]).toEqual([table.callOfId[table.toolIds.find("t1")]]);
  });
});

describe("result state", () => {
  const NONE = { kind: null, beforeRun: false };
  const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected";

  test.each([
    ["all went well", false, CallState.ok],
    ["Exit code 3\nboom", true, CallState.error],
    [
      "The user doesn't want to proceed with this tool use. The tool use was rejected",
      true,
      CallState.refused,
    ],
    ["Claude requested permissions to write to /a, but you haven't granted it yet.", true, CallState.denied],
    // Up to 2.1.42.
    [
      "touch in '/home/dev/x' was blocked. For security, Claude Code may only create or modify files in",
      true,
      CallState.denied,
    ],
    // 1.0.128, and 2.1.330.
    ["Command timed out after 1.5s", true, CallState.timedOut],
    ["Exit code 143\nCommand timed out after 1.5s", true, CallState.timedOut],
    ["Exit code 137\n[Request interrupted by user for tool use]", true, CallState.interrupted],
    ["", false, CallState.ok],
  ])("%j", (text, isError, state) => {
    expect(resultState(text, isError, false, NONE)).toBe(state);
  });

  test("what the structured result says comes first", () => {
    expect(resultState("half of it", true, true, NONE)).toBe(CallState.interrupted);
    expect(resultState("half of it", false, true, NONE)).toBe(CallState.stopped);
    // A file that was read may hold these words.
    expect(resultState("[Request interrupted by user]", false, false, NONE)).toBe(CallState.ok);
    expect(resultState("anything", true, false, { ...NONE, kind: "permission-rule" })).toBe(CallState.denied);
    // A kind of denial on a result that is no error is none.
    expect(resultState("anything", false, false, { ...NONE, kind: "user-rejected" })).toBe(CallState.ok);
  });

  test("a refusal that was given before it ran is one for good (2.1.330)", () => {
    const kind = "user-rejected";
    expect(resultState(REFUSED, true, false, { kind, beforeRun: true })).toBe(CallState.denied);
    expect(resultState(REFUSED, true, false, { kind, beforeRun: false })).toBe(CallState.refused);
    expect(resultState(REFUSED, true, false, { kind: "permission-rule", beforeRun: false })).toBe(
      CallState.denied,
    );
    // `-p` of 2.1.330 has nobody to ask, and says that a person rejected it.
    const unasked = "Claude requested permissions to write to /a, but you haven't granted it yet.";
    expect(resultState(unasked, true, false, { kind, beforeRun: false })).toBe(CallState.denied);
  });
});

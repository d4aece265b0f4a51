import { describe, expect, test } from "vitest";
import { parseLine, parseRecord, toRecord } from "@/lib/log/records/parse-record";
import { hasLineCounts } from "@/lib/log/table/calls";
import { CallState } from "@/lib/log/table/kinds";
import { SessionTable } from "@/lib/log/table/session-table";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { addRecord } from "./add-record";
import { type Denial, resultState } from "./add-result";
import { notePreviousValues } from "./previous-values";
import { KEPT_BYTES } from "./text-prefix";

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
      const found = table.callOf(table.toolIds.find(id));
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

  test("a refused dialog stays a refusal", () => {
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

  test("a call that ended with its client was not refused, and its end is not known (2.1.330)", () => {
    const cut = (toolDenialKind: string, content: string): Json => ({
      ...refused("t1", { toolDenialKind, toolUseResult: content, timestamp: "2026-03-02T10:00:00.000Z" }),
      message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content }] },
    });
    const timeOf = (line: Json) =>
      tableOf([call("t1", "m1"), line].map((json) => ({ file: 0, json }))).records.atMs.at(1);
    // Written as its person goes on with the session, perhaps days later.
    const ended = cut(
      "interrupted",
      "[Tool call interrupted: the session ended before this call's result was recorded]",
    );
    expect(states([call("t1", "m1"), ended])).toEqual(["t1 interrupted"]);
    expect(timeOf(ended)).toBe(Number.NaN);
    for (const kind of ["interrupted", "cancelled"]) {
      const stopped = cut(kind, "[Tool call did not complete: the turn was ended. Nothing refused it]");
      expect(states([call("t1", "m1"), stopped])).toEqual(["t1 interrupted"]);
      expect(timeOf(stopped)).toBe(Date.parse("2026-03-02T10:00:00.000Z"));
    }
  });

  test("a call that a hook blocked was refused, in whichever words, and with whichever field", () => {
    const blocked = (content: string, more: Json = {}): Json => ({
      ...refused("t1", more),
      message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content }] },
    });
    const of = (line: Json) => states([call("t1", "m1"), line]);
    // 1.0.128; from 2.0.42 on; 2.1.330 has the field.
    const error = "PreToolUse:Bash hook error: [guard.sh]: blocked by the hook\n";
    expect(of(blocked("Bash operation blocked by hook:\n- [guard.sh]: no\n"))).toEqual(["t1 denied"]);
    expect(of(blocked(error))).toEqual(["t1 denied"]);
    expect(of(blocked(error, { toolDenialKind: "permission-rule" }))).toEqual(["t1 denied"]);
    expect(of(blocked("Exit code 1\nPreToolUse:Bash hook error: x"))).toEqual(["t1 error"]);
  });

  test("a call that a hook blocked by its answer was refused, where a line of the hook's names it (2.1.110)", () => {
    const hook = (hookEvent: string): Json => ({
      type: "attachment",
      uuid: `hook ${hookEvent}`,
      attachment: {
        type: "hook_blocking_error",
        ...{ hookName: `${hookEvent}:Bash`, hookEvent, toolUseID: "t1" },
        blockingError: { blockingError: "not this word" },
      },
    });
    const said = { ...refused("t1", { toolUseResult: "Error: not this word" }) };
    said.message = {
      content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "not this word" }],
    };
    expect(states([call("t1", "m1"), hook("PreToolUse"), said])).toEqual(["t1 denied"]);
    expect(states([call("t1", "m1"), said, hook("PreToolUse")])).toEqual(["t1 denied"]);
    expect(states([call("t1", "m1"), said])).toEqual(["t1 error"]);
    // What it says of a call that has run is no refusal.
    const ran = {
      ...said,
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
    };
    expect(states([call("t1", "m1"), ran, hook("PostToolUse")])).toEqual(["t1 ok"]);
  });

  test("an interruption is reported as a change of the call", () => {
    const table = tableOf([call("t1", "m1"), refused("t1")].map((json) => ({ file: 0, json })));
    const stop = toRecord(interrupted({ interruptedMessageId: "m1" }), { offset: 1_000, length: 1, line: 3 });
    const before = { calls: new Map(), tokens: new Map() };
    notePreviousValues(table, 0, stop, before);
    expect([...before.calls.keys()]).toEqual([table.callOf(table.toolIds.find("t1"))]);
  });
});

describe("the file that a call changed", () => {
  type Json = TestLine["json"];

  const PATH = "/home/dev/shop/cart.ts";
  const call = (name: string, input: Json): Json => ({
    type: "assistant",
    uuid: "use",
    message: { id: "m1", content: [{ type: "tool_use", id: "t1", name, input }] },
  });
  const answer = (toolUseResult?: Json, more: Json = {}): Json => ({
    type: "user",
    uuid: "result",
    ...(toolUseResult && { toolUseResult }),
    message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "done", ...more }] },
  });
  const told = (...lines: Json[]) => changeOf(tableOf(lines.map((json) => ({ file: 0, json }))));
  const changeOf = (table: SessionTable) => {
    const { path, added, removed } = table.calls;
    const isCounted = hasLineCounts(table, 0);
    return `${table.paths.at(path.at(0)) ?? "none"}${isCounted ? ` +${added.at(0)} −${removed.at(0)}` : ""}`;
  };

  test("is the one that its input names where the result has no patch, and its lines are not counted", () => {
    const cell = { notebook_path: "/a.ipynb", new_source: "x" };
    const recorded = { new_source: "x", edit_mode: "replace", cell_id: "c1", error: "" };
    expect(told(call("NotebookEdit", cell), answer(recorded))).toBe("/a.ipynb");
    // Inside agents from 2.1.29 on; in the lines that 1.0.60 copies when it resumes a session.
    for (const name of ["Edit", "Write", "MultiEdit"])
      expect(told(call(name, { file_path: PATH }), answer())).toBe(PATH);
    // The result may be read first.
    expect(told(answer(), call("Edit", { file_path: PATH }))).toBe(PATH);
  });

  test("is the one of the patch where there is one", () => {
    const patch = { filePath: PATH, structuredPatch: [{ lines: ["-a", "+b", "+c"] }] };
    expect(told(call("Edit", { file_path: "cart.ts" }), answer(patch))).toBe(`${PATH} +2 −1`);
    expect(told(answer(patch), call("Edit", { file_path: "cart.ts" }))).toBe(`${PATH} +2 −1`);
  });

  test("is missing for a call that failed, has no result yet, or only reads", () => {
    const edit = call("Edit", { file_path: PATH });
    expect(told(edit, answer(undefined, { is_error: true }))).toBe("none");
    expect(told(edit)).toBe("none");
    expect(told(call("Read", { file_path: PATH }), answer())).toBe("none");
  });

  test("has its whole name, however the line was shortened", () => {
    const path = `/home/dev/${"folder/".repeat(100)}cart.ts`;
    const content = "x".repeat(5_000);
    const patch = { filePath: path, content, structuredPatch: [{ lines: ["+b"] }] };
    const shortened = (...lines: Json[]) => {
      const table = new SessionTable();
      for (const [at, json] of lines.entries()) {
        const bytes = new TextEncoder().encode(JSON.stringify(json));
        const line = { bytes, offset: at * 10_000, length: bytes.length, line: at + 1 };
        for (const record of parseLine(line, { keepBytes: KEPT_BYTES }))
          addRecord(table, 0, record, () => parseRecord(line));
      }
      return changeOf(table);
    };
    const write = call("Write", { content, file_path: path });
    expect(shortened(write, answer())).toBe(path);
    expect(shortened(write, answer(patch))).toBe(`${path} +1 −0`);
  });
});

describe("result state", () => {
  const NONE: Denial = { kind: null, beforeRun: false, ofAgent: false };
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
    // 2.1.90, 2.1.160: a person refused an agent's call.
    [
      "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit",
      true,
      CallState.denied,
    ],
    ["Permission for this action has been denied. Reason: it is far away", true, CallState.denied],
    ["Permission to read /etc/shadow has been denied.", true, CallState.denied],
    ["Permission to edit /etc/shadow has been denied.", true, CallState.denied],
    ["Permission denied", true, CallState.error],
    // 2.0.25: a hook answered that the call is not to be made.
    ["Hook requested permission behavior: deny", true, CallState.denied],
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
    expect(resultState(text, { isError, interrupted: false, denial: NONE })).toBe(state);
  });

  test("what is said of a refusal is a stop of an agent's call: a refusal is said otherwise there (2.1.160, 2.1.332)", () => {
    const of = (denial: Partial<Denial>) =>
      resultState(REFUSED, { isError: true, interrupted: false, denial: { ...NONE, ...denial } });
    expect(of({ ofAgent: true })).toBe(CallState.interrupted);
    expect(of({ ofAgent: true, kind: "user-rejected" })).toBe(CallState.interrupted);
    expect(of({ ofAgent: true, kind: "user-rejected", beforeRun: true })).toBe(CallState.denied);
    expect(of({})).toBe(CallState.refused);
  });

  test("a stop that is written as a refusal and corrected behind it is a stop (2.1.332, an interruption by an SDK)", () => {
    const text = `${REFUSED}. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed. Correction to the text above: this call was stopped while running, not refused before it ran. It may have run in part or in full, and its changes may have been written.`;
    const denial = { ...NONE, kind: "user-rejected" };
    expect(resultState(text, { isError: true, interrupted: false, denial })).toBe(CallState.interrupted);
  });

  test("the structured result takes precedence", () => {
    expect(resultState("half of it", { isError: true, interrupted: true, denial: NONE })).toBe(
      CallState.interrupted,
    );
    expect(resultState("half of it", { isError: false, interrupted: true, denial: NONE })).toBe(
      CallState.stopped,
    );
    // A file that was read may hold these words.
    expect(
      resultState("[Request interrupted by user]", { isError: false, interrupted: false, denial: NONE }),
    ).toBe(CallState.ok);
    expect(
      resultState("anything", {
        isError: true,
        interrupted: false,
        denial: { ...NONE, kind: "permission-rule" },
      }),
    ).toBe(CallState.denied);
    // A kind of denial on a result that is no error is none.
    expect(
      resultState("anything", {
        isError: false,
        interrupted: false,
        denial: { ...NONE, kind: "user-rejected" },
      }),
    ).toBe(CallState.ok);
  });

  test("a refusal before the call ran is final (2.1.330)", () => {
    const kind = "user-rejected";
    expect(
      resultState(REFUSED, {
        isError: true,
        interrupted: false,
        denial: { kind, beforeRun: true, ofAgent: false },
      }),
    ).toBe(CallState.denied);
    expect(
      resultState(REFUSED, {
        isError: true,
        interrupted: false,
        denial: { kind, beforeRun: false, ofAgent: false },
      }),
    ).toBe(CallState.refused);
    expect(
      resultState(REFUSED, {
        isError: true,
        interrupted: false,
        denial: { kind: "permission-rule", beforeRun: false, ofAgent: false },
      }),
    ).toBe(CallState.denied);
    // `-p` of 2.1.330 has nobody to ask, and says that a person rejected it.
    const unasked = "Claude requested permissions to write to /a, but you haven't granted it yet.";
    expect(
      resultState(unasked, {
        isError: true,
        interrupted: false,
        denial: { kind, beforeRun: false, ofAgent: false },
      }),
    ).toBe(CallState.denied);
  });
});

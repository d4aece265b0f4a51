import { expect, test } from "vitest";
import { CallState } from "./kinds";
import { resultState } from "./result-state";

const NONE = { kind: null, beforeRun: false };
const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected";

test.each([
  ["all went well", false, CallState.ok],
  ["Exit code 3\nboom", true, CallState.error],
  ["The user doesn't want to proceed with this tool use. The tool use was rejected", true, CallState.refused],
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

import { expect, test } from "vitest";
import { CallState } from "./kinds";
import { resultState } from "./result-state";

test.each([
  ["all went well", false, CallState.ok],
  ["Exit code 3\nboom", true, CallState.error],
  ["The user doesn't want to proceed with this tool use. The tool use was rejected", true, CallState.denied],
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
  expect(resultState(text, isError, false, null)).toBe(state);
});

test("what the structured result says comes first", () => {
  expect(resultState("half of it", true, true, null)).toBe(CallState.interrupted);
  expect(resultState("half of it", false, true, null)).toBe(CallState.stopped);
  // A file that was read may hold these words.
  expect(resultState("[Request interrupted by user]", false, false, null)).toBe(CallState.ok);
  expect(resultState("anything", true, false, "permission-rule")).toBe(CallState.denied);
  // A kind of denial on a result that is no error is none.
  expect(resultState("anything", false, false, "user-rejected")).toBe(CallState.ok);
});

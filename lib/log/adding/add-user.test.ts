import { expect, test } from "vitest";
import { RecordKind } from "@/lib/log/table/kinds";
import { type TestLine, tableOf } from "@/lib/testing/records";

type Json = TestLine["json"];

const PROMPT: Json = { type: "user", uuid: "u1", parentUuid: null, message: { content: "go" } };
const BOUNDARY: Json = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
const SUMMARY: Json = {
  type: "user",
  uuid: "s",
  parentUuid: null,
  isCompactSummary: true,
  message: { content: "What was done" },
};

/** Whether the last of these lines begins anew, as the boundary of a compaction does. */
function beginsAnew(lines: readonly Json[], file = 0): boolean {
  const { records } = tableOf(lines.map((json) => ({ file, json })));
  return records.kind.at(lines.length - 1) === RecordKind.compactBoundary;
}

test("a summary is a compaction's boundary where it has neither a boundary before it nor a parent (1.0.60)", () => {
  expect(beginsAnew([PROMPT, SUMMARY])).toBe(true);
  expect(beginsAnew([PROMPT, BOUNDARY, SUMMARY])).toBe(false);
  expect(beginsAnew([PROMPT, { ...SUMMARY, parentUuid: "u1" }])).toBe(false);
});

test("a summary of an agent is one in the agent's own log alone, not among the lines of the main thread", () => {
  const ofAgent = { ...SUMMARY, isSidechain: true };
  expect(beginsAnew([PROMPT, ofAgent], 1)).toBe(true);
  expect(beginsAnew([PROMPT, ofAgent])).toBe(false);
});

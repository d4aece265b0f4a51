import { expect, test } from "vitest";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
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

/** The kind of a line of a person’s, by its name, and whether it was given beside the work. */
function readAs(content: string, more: Json = {}): string {
  const json = { ...PROMPT, message: { content }, ...more };
  const { records } = tableOf([{ file: 0, json }]);
  const [name = ""] = Object.entries(RecordKind).find(([, kind]) => kind === records.kind.at(0)) ?? [];
  return (records.flags.at(0) & Flag.atRest) === 0 ? name : `${name} at rest`;
}

test("commands of the client and for its shell may be given while the model works, a skill's is sent to it", () => {
  expect(readAs("<command-message>clear</command-message><command-name>/clear</command-name>")).toBe(
    "command at rest",
  );
  expect(readAs("<bash-input>ls</bash-input>")).toBe("command at rest");
  expect(readAs("<command-name>/review</command-name><command-message>review</command-message>")).toBe(
    "command",
  );
  expect(readAs("go")).toBe("prompt");
});

test("what is to be seen in the transcript alone is no prompt", () => {
  expect(readAs("What was done", { isVisibleInTranscriptOnly: true })).toBe("meta");
  expect(readAs("What was done", { isVisibleInTranscriptOnly: false })).toBe("prompt");
});

test("what a message tells an agent is a prompt of the agent's, marked as added though it is (2.1.200 and later)", () => {
  const text =
    "The coordinator sent a message while you were working:\nNow explore.\n\nAddress this before completing your current task.";
  const told: Json = { parentUuid: "a", isMeta: true, origin: { kind: "coordinator" } };
  expect(readAs(text, { ...told, isSidechain: true, agentId: "a1" })).toBe("agentPrompt");
  expect(readAs(text, told)).toBe("meta");
  expect(readAs("…", { ...told, isSidechain: true, agentId: "a1", origin: { kind: "plugin" } })).toBe("meta");
});

test("/compact as it was typed is none of the conversation, in which its command comes when it is done (2.1.250, 2.1.300)", () => {
  const typed = { parentUuid: "a", promptId: "p" };
  expect(readAs("/compact", typed)).toBe("metadata");
  expect(readAs("/compact keep the names", typed)).toBe("metadata");
  // Sent to the model by the earliest, and by what is none of the client's own.
  expect(readAs("/compact")).toBe("prompt");
  expect(readAs("/compactor", typed)).toBe("prompt");
  expect(readAs("/compact", { ...typed, promptSource: "typed" })).toBe("prompt");
});

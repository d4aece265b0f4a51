import { expect, it } from "vitest";
import { type AgentState, formatAgentState, type Row, rowKindFacts } from "./rows";

it("a kind of row that only a newer server knows has its own name and is measured as it is drawn", () => {
  expect(rowKindFacts("event")).toEqual({ name: "Note", isOneLine: true });
  expect(rowKindFacts("hologram" as Row["kind"])).toEqual({ name: "hologram", isOneLine: false });
});

it("an agent is running, failed or was stopped, in these words everywhere", () => {
  const states: AgentState[] = ["running", "failed", "interrupted", "done", "unknown"];
  expect(states.map(formatAgentState)).toEqual(["running", "failed", "stopped", "", ""]);
});

import { describe, expect, it } from "vitest";
import { type AgentState, foldedTurns, formatAgentState, type Row, rowKindFacts } from "./rows";

it("a kind of row that only a newer server knows has its own name and is measured as it is drawn", () => {
  expect(rowKindFacts("event")).toEqual({ name: "Note", isOneLine: true });
  expect(rowKindFacts("hologram" as Row["kind"])).toEqual({ name: "hologram", isOneLine: false });
});

it("an agent is running, failed or was stopped, in these words everywhere", () => {
  const states: AgentState[] = ["running", "failed", "interrupted", "done", "unknown"];
  expect(states.map(formatAgentState)).toEqual(["running", "failed", "stopped", "", ""]);
});

describe("foldedTurns", () => {
  it("reads turns and ranges, each once and in order, and passes over what is none", () => {
    expect(foldedTurns("9,1-3,2-4")).toEqual([1, 2, 3, 4, 9]);
    expect(foldedTurns("")).toEqual([]);
    expect(foldedTurns("3-1,x,-2,5-,7")).toEqual([7]);
  });

  it("takes no more of a link that names more than any session has", () => {
    const ranges = Array.from({ length: 1_000 }, (_, part) => `${part * 9_000}-${part * 9_000 + 9_999}`);
    expect(foldedTurns(ranges.join(","))).toHaveLength(20_000);
    expect(foldedTurns(Array(2_000).fill("1-19999").join(","))).toHaveLength(19_999);
  });
});

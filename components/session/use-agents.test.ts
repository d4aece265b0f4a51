import { expect, it } from "vitest";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentEntry } from "@/lib/wire/session";
import { agentFamilies, nameOfAgent, nestedAgents, outermostOf } from "./use-agents";

function agents(...told: [id: string, parent: string | null, depth: number][]): AgentEntry[] {
  return told.map(([agentId, parentAgentId, depth]) => ({ agentId, parentAgentId, depth }) as AgentEntry);
}

const names = (list: readonly AgentEntry[] | undefined) => list?.map(({ agentId }) => agentId).join(" ");

it("puts agents behind the ones that started them, though those ran beside each other", () => {
  const listed = nestedAgents(
    agents(["a", null, 1], ["b", null, 1], ["a1", "a", 2], ["b1", "b", 2], ["a2", "a", 2], ["a11", "a1", 3]),
  );
  expect(names(listed)).toBe("a a1 a11 a2 b b1");
  expect(outermostOf(listed, "a11" as AgentId)?.agentId).toBe("a");
  const families = agentFamilies(listed);
  expect([...families.keys()].join(" ")).toBe("a b");
  expect(names(families.get("a" as AgentId))).toBe("a a1 a11 a2");
});

it("leaves out none: not one whose starter is not listed, nor two that start each other", () => {
  expect(names(nestedAgents(agents(["a", null, 1], ["x", "gone", 2])))).toBe("a x");
  expect(names(nestedAgents(agents(["a", "b", 1], ["b", "a", 2])))).toBe("a b");
});

it("calls an agent by what can be read of it", () => {
  const name = (description: string | null, type: string | null) =>
    nameOfAgent({ description, type, agentId: "a1" } as AgentEntry);
  expect([name("look", "Explore"), name(" \u3164", "Explore"), name("", " "), name(null, null)]).toEqual([
    "look",
    "Explore",
    "a1",
    "a1",
  ]);
});

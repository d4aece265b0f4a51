import type { ToolRow } from "@/lib/wire/rows";
import type { NodeShape } from "./rail-node";

const STATE_NODES: Partial<Record<ToolRow["state"], NodeShape>> = {
  error: { shape: "error" },
  running: { shape: "running" },
  denied: { shape: "denied" },
  interrupted: { shape: "interrupted" },
  "timed-out": { shape: "timed-out" },
};

/** A call that has not run yet: its person is asked, in the words of its result. */
export function asksPerson({ state, result }: Pick<ToolRow, "state" | "result">): boolean {
  return state === "running" && result !== null;
}

/** What a call is on the spine: an agent that leaves, how it ended, or what it did. */
export function callNode(row: ToolRow): NodeShape {
  if (row.agent) return { shape: "agent-call", lane: row.agent.lane };
  if (asksPerson(row)) return { shape: "asking" };
  return STATE_NODES[row.state] ?? { shape: row.added !== null || row.removed !== null ? "edit" : "tool" };
}

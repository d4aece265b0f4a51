import type { AgentId, RecordId } from "../ids";

/** Where a fact can be seen: a record, in the main thread or an agent's. */
export type FactPlace = { recordId: RecordId; agentId: AgentId | null };

/** How often something happened, and the first places where. */
export type CountedFact = { count: number; places: FactPlace[] };

/** `…/facts`: what can be counted of how a session went. Nothing is judged: a second reading may have been needed. */
export type FactsResponse = {
  /** Requests that the API refused or broke off and the client sent again. `waitedMs`: what it says it waited. */
  retries: CountedFact & { waitedMs: number };
  /** Calls that ended in an error or ran out of time, by tool; refusals and interruptions are none. */
  failures: (CountedFact & { tool: string; calls: number })[];
  /** Files that a thread read with the same input and the same result as before, with no change of its own between. */
  rereads: (CountedFact & { path: string })[];
  /** Edits that a later one turned back, word for word. */
  undone: (CountedFact & { path: string })[];
  /**
   * Tools that requests declared and no call used, by MCP server (null: the client's own); about how many tokens each
   * request spends on them. Null where the log does not hold the requests' tools.
   */
  unused: { server: string | null; tools: string[]; tokens: number }[] | null;
  /** Hooks by their event and matcher: how long they took together, and how often they failed. */
  hooks: (CountedFact & { name: string; failed: number; ms: number })[];
};

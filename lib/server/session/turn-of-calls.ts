import { at } from "@/lib/log/table/table";
import { firstThread } from "./choose-branch";
import type { OpenSession } from "./open-session";

const NONE = -1;
/** Agents start agents, but not deeper than this. */
const MOST_DEPTH = 64;

/**
 * Says in which turn of the active branch a call happened; an agent's calls happen in the turn that started the
 * agent. 0 for a call on another branch, before the first prompt, or of an agent without a known start.
 */
export function turnOfCalls(session: OpenSession): (call: number) => number {
  const { graph, table } = session;
  const main = firstThread(session);
  const [active] = graph.branches[main] ?? [];
  const path = active && session.path(active);
  const turns = new Map<number, number>();
  for (const [turn, { from }] of path?.turns.entries() ?? []) {
    const to = path?.turns[turn + 1]?.from ?? path?.records.length ?? 0;
    for (let i = from; path && i < to; i++) turns.set(at(path.records, i), turn);
  }
  return (call) => {
    let current = call;
    for (let depth = 0; depth < MOST_DEPTH; depth++) {
      const use = table.calls.get("use", current);
      if (use === NONE) return 0;
      const record = table.blocks.get("record", use);
      const thread = at(graph.threadOf, record);
      if (thread === main) return turns.get(record) ?? 0;
      current = graph.threads[thread]?.call ?? NONE;
      if (current === NONE) return 0;
    }
    return 0;
  };
}

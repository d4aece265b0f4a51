import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { StepDraft } from "./step-draft";

const NONE = -1;
export const LIVE_MAIN = 1;
export const LIVE_AGENT = 2;

/** Kinds of records that say something. */
export const CONVERSATION: ReadonlySet<number> = new Set([
  RecordKind.prompt,
  RecordKind.agentPrompt,
  RecordKind.results,
  RecordKind.meta,
  RecordKind.compactSummary,
  RecordKind.command,
  RecordKind.commandOutput,
  RecordKind.interruption,
  RecordKind.notification,
  RecordKind.assistant,
  RecordKind.synthetic,
]);

/**
 * Marks the steps that the conversation passes: those that say something and all above them. What is
 * left are dead ends: progress, attachments, book-keeping. A thread that says nothing has its first
 * step marked, so that it can be read all the same.
 */
export function markLive(table: SessionTable, draft: StepDraft, copies: ReadonlyMap<number, number>): void {
  const { of, thread, live } = draft;
  const hasLive = new Set<number>();
  for (let record = 0; record < of.length; record++) {
    if (!CONVERSATION.has(table.records.get("kind", record)) || copies.has(record)) continue;
    markUp(draft, at(of, record));
    hasLive.add(at(thread, at(of, record)));
  }
  for (let step = 0; step < draft.count; step++) {
    if (hasLive.has(at(thread, step)) || at(live, step) & liveBit(at(thread, step))) continue;
    hasLive.add(at(thread, step));
    markUp(draft, step);
  }
}

function markUp({ parent, thread, live }: StepDraft, start: number): void {
  const home = at(thread, start);
  // The main thread may pass through an agent's file: in 2.1.29 an answer can stand only there.
  const bit = liveBit(home);
  for (let step = start; step !== NONE && !(at(live, step) & bit); step = at(parent, step)) {
    if (bit === LIVE_AGENT && at(thread, step) !== home) return;
    live[step] = at(live, step) | bit;
  }
}

/** The bit that keeps a step on a thread's ways: one for the main thread, one for any agent. */
export function liveBit(thread: number): number {
  return thread === 0 ? LIVE_MAIN : LIVE_AGENT;
}

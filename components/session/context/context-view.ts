import type { ContextEntry } from "./context-entries";

export type ContextView = "all" | "changes" | "size";

/** What the list shows: messages, and runs of old ones folded into one line. */
export type ContextItem =
  | { kind: "entry"; entry: ContextEntry }
  | { kind: "fold"; entries: ContextEntry[]; chars: number };

/** Old messages that stay unfolded before the first new one: what the new ones answer. */
const CONTEXT_BEFORE = 12;
/** Fewer than this are shown, not folded. */
const LEAST_FOLDED = 5;

/** Orders and folds a request's messages: as sent, only what is new, or the biggest first. */
export function viewEntries(entries: readonly ContextEntry[], view: ContextView): ContextItem[] {
  if (view === "size") return entries.toSorted((left, right) => right.chars - left.chars).map(toItem);
  const firstNew = entries.findIndex(({ isNew }) => isNew);
  const old = firstNew < 0 ? entries.length : firstNew;
  const folded = view === "changes" ? old : Math.max(0, old - CONTEXT_BEFORE);
  if (folded === 0 || (view === "all" && folded < LEAST_FOLDED)) return entries.map(toItem);
  const head = entries.slice(0, folded);
  const chars = head.reduce((sum, one) => sum + one.chars, 0);
  return [{ kind: "fold", entries: head, chars }, ...entries.slice(folded).map(toItem)];
}

function toItem(entry: ContextEntry): ContextItem {
  return { kind: "entry", entry };
}

/** What came since the request before. */
export function countNew(entries: readonly ContextEntry[]): { messages: number; chars: number } {
  const fresh = entries.filter(({ isNew }) => isNew);
  return { messages: fresh.length, chars: fresh.reduce((sum, one) => sum + one.chars, 0) };
}

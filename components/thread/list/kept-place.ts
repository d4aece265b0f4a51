import type { RecordId } from "@/lib/wire/ids";

/** A row of a thread and how far below the list's upper edge it begins. */
export type KeptPlace = { recordId: RecordId; block: number; offsetPx: number };

/** The field of `history.state`, beside what the router has there. */
const FIELD = "backscrollPlace";

/** Keeps where the reader is in the browser's history entry. `of`: the thread, as its address has it. */
export function keepPlace(of: string, place: KeptPlace): void {
  window.history.replaceState({ ...window.history.state, [FIELD]: { of, place } }, "");
}

/** Where the reader was when he reloaded the page, or left it for another that he comes back from. */
export function keptPlace(of: string): KeptPlace | null {
  const kept = (
    window.history.state as Record<string, { of: string; place: KeptPlace } | undefined> | null
  )?.[FIELD];
  return kept?.of === of ? kept.place : null;
}

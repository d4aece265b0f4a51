import { type RefObject, useEffect } from "react";
import type { Anchor } from "@/components/thread/open-thread";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/session-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** The list has been drawn where it came to rest. */
const RESTED_MS = 300;

/**
 * Keeps where the reader is, so that a reload and a way back end there. Answers how to ask for it: what opens at
 * its end or at another place than the one that was left has none.
 */
export function useKeptPlace(
  sessionId: SessionId,
  choice: ThreadChoice,
  { at, follow }: Pick<ThreadUrl, "at" | "follow">,
  list: RefObject<{ topPlace: () => KeptPlace | null } | null>,
): () => Anchor | null {
  const of = [sessionId, choice.key, at].join("|");
  useEffect(() => {
    const keep = () => {
      const place: KeptPlace | null = list.current?.topPlace() ?? null;
      if (place) keepPlace(of, place);
    };
    let timer = setTimeout(keep, RESTED_MS);
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, RESTED_MS);
    };
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("scroll", soon, { capture: true });
    };
  }, [of, list]);
  return () => {
    const kept = follow === "1" ? null : keptPlace(of);
    return kept && { ...kept, selected: false };
  };
}

/** A row of a thread and how far below the list's upper edge it begins. */
export type KeptPlace = { recordId: RecordId; block: number; offsetPx: number };

/** The field of `history.state`, beside what the router has there. */
const FIELD = "backscrollPlace";

/** Keeps where the reader is in the browser's history entry. `of`: the thread, as its address has it. */
function keepPlace(of: string, place: KeptPlace): void {
  window.history.replaceState({ ...window.history.state, [FIELD]: { of, place } }, "");
}

/** Where the reader was when he reloaded the page, or left it for another that he comes back from. */
function keptPlace(of: string): KeptPlace | null {
  const kept = (
    window.history.state as Record<string, { of: string; place: KeptPlace } | undefined> | null
  )?.[FIELD];
  return kept?.of === of ? kept.place : null;
}

/** The row above a fork's: it is on every branch that leaves there. */
export function forkAnchor(
  loaded: Iterable<[index: number, row: Row]>,
  key: string | null,
): { index: number; row: Row } | null {
  if (key === null) return null;
  let before: { index: number; row: Row } | null = null;
  for (const [index, row] of loaded) {
    if (row.key === key) return before?.index === index - 1 ? before : null;
    before = { index, row };
  }
  return null;
}

/** Where the row of a key stands among those that are loaded. */
export function indexOfKey(loaded: Iterable<[index: number, row: Row]>, key: string): number | null {
  for (const [index, row] of loaded) if (row.key === key) return index;
  return null;
}

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from "react";
import type { Anchor, OpenThread } from "@/components/thread/open-thread";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/session-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { type HeldRow, holdRow } from "./scroll-anchor";
import type { RowList } from "./use-row-list";

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

/** Rows have been drawn and measured after so many frames. */
const SETTLING_FRAMES = 3;

/** Brings the row that a thread opens at to its place, and keeps it there while rows above it are measured. */
export function useOpeningPlace(
  virtualizer: RowList,
  held: RefObject<HeldRow | null>,
  start: OpenThread["start"],
  rowPx: number,
): void {
  const begin = useEffectEvent(() => {
    if (start.atEnd) return virtualizer.scrollToEnd();
    if (start.index === 0 && !start.selected && start.offsetPx === null) return;
    const center = start.selected && start.offsetPx === null;
    if (center) virtualizer.scrollToIndex(start.index, { align: "center" });
    // Nothing has been measured yet: every row above has the guessed height.
    else virtualizer.scrollToOffset(Math.max(0, start.index * rowPx - (start.offsetPx ?? 0)));
  });
  /** Puts the row that is held where it was, now that those above it have been measured. */
  const settle = useEffectEvent(() => {
    const from = virtualizer.measurementsCache[start.index]?.start;
    if (start.offsetPx === null || from === undefined || start.atEnd) return;
    const topPx = Math.max(0, from - start.offsetPx);
    virtualizer.scrollToOffset(topPx);
    // What rows above show may still come. A follower's end stays where it is by itself.
    const isFollowed = virtualizer.options.anchorTo === "end" && virtualizer.isAtEnd();
    if (!isFollowed) holdRow(virtualizer, held, { index: start.index, topPx });
  });
  // Once: after a change of thread this is another instance of the component.
  useLayoutEffect(() => {
    begin();
    let left = SETTLING_FRAMES;
    let frame = requestAnimationFrame(function again() {
      settle();
      if (--left > 0) frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
}

import { useEffect, useEffectEvent } from "react";
import { keepPlace, keptPlace } from "@/lib/client/history-entry";
import { followHistory, threadUrlNow } from "@/lib/client/session-history";
import type { ThreadUrl } from "@/lib/client/session-url";
import type { Anchor } from "./open-thread";
import type { ThreadStore } from "./thread-store";

/** The reader has come to rest. */
const RESTED_MS = 300;
/** A reader who has opened more has not opened them to come back to. */
const MAX_OPEN = 200;

/** Where the reader was in a thread, and what was open, as the browser's history keeps it. `of`: which thread. */
type KeptView = { of: string; place: Anchor; open: string[]; atEnd: boolean };

/**
 * Keeps where the reader of a session is, so that a reload and every way back end there. Answers how to ask for it
 * when the page opens: one that opens at the end, and was left there, goes there again.
 */
export function useReadingPlace(
  store: ThreadStore,
  { follow }: Pick<ThreadUrl, "follow">,
): () => { place: Anchor | null; open: readonly string[] } | null {
  const keep = useEffectEvent(() => {
    const view = viewNow(store);
    if (view) keepPlace(view);
  });
  const comeBack = useEffectEvent((isSame: boolean) => {
    store.returnTo(keptView(store)?.place ?? null);
    // Nothing else would have it open again.
    if (isSame) store.retry();
  });
  useEffect(() => {
    let timer = setTimeout(keep, RESTED_MS);
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, RESTED_MS);
    };
    const stop = followHistory({
      beforeLeaving: () => keep(),
      onOtherGround: (isSame) => comeBack(isSame),
      onReturn: soon,
    });
    const unsubscribe = store.subscribe(soon);
    const now = () => keep();
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    window.addEventListener("pagehide", now);
    return () => {
      stop();
      unsubscribe();
      clearTimeout(timer);
      document.removeEventListener("scroll", soon, { capture: true });
      window.removeEventListener("pagehide", now);
    };
  }, [store]);
  return () => {
    const kept = keptView(store);
    return follow === "1" && kept?.atEnd ? { ...kept, place: null } : kept;
  };
}

function nameOf(store: ThreadStore, { agent, branch }: Pick<ThreadUrl, "agent" | "branch">): string {
  return [store.sessionId, agent, branch].join("|");
}

/** Where the reader is; `null` while the thread that the address names is not on screen. */
function viewNow(store: ThreadStore): KeptView | null {
  const shown = store.get().thread;
  const place = store.place();
  const of = nameOf(store, threadUrlNow());
  if (!shown || !place || nameOf(store, shown.choice) !== of) return null;
  const { open, position } = store.get();
  return {
    of,
    place: { ...place, focused: false },
    open: [...open].slice(-MAX_OPEN),
    atEnd: position.atEnd,
  };
}

/** Where the reader was when this entry of the history was left. */
function keptView(store: ThreadStore): KeptView | null {
  const kept = keptPlace() as KeptView | null;
  return kept?.of === nameOf(store, threadUrlNow()) ? kept : null;
}

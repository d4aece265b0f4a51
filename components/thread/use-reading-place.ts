import { useEffect, useEffectEvent, useState } from "react";
import { keepPlace, keptPlace } from "@/lib/client/address/history-entry";
import { followHistory, threadUrlNow } from "@/lib/client/address/session-history";
import {
  formatPermalink,
  type PanePlace,
  parsePanes,
  type ThreadUrl,
} from "@/lib/client/address/session-url";
import { Listeners } from "@/lib/client/listeners";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Anchor } from "./open-thread";
import type { ThreadAddress } from "./store/thread-core";
import type { Opening } from "./store/thread-opening";
import type { ThreadStore } from "./thread-store";

/** The reader has come to rest. */
const RESTED_MS = 300;
/** A reader who has opened more has not opened them to come back to. */
const MAX_OPEN = 200;

/** Where the reader was in a thread, and what was open. */
type KeptThread = { place: Anchor; open: string[]; atEnd: boolean };
/** An agent's pane, with what stands for the address of its thread. */
type KeptPane = KeptThread & { address: ThreadAddress };
/** What the browser's history keeps: the thread, `of` which one, and the agents' panes that were beside it. */
type KeptView = KeptThread & { of: string; panes?: Record<AgentId, KeptPane> };

type Pane = { sessionId: SessionId; store: ThreadStore; address: () => ThreadAddress };

/** The agents' panes that are on screen. */
const panes = new Map<AgentId, Pane>();
/** Told when one of them comes, or has changed. */
let onPanes: () => void = () => undefined;
/** Told when one of them comes. */
const onPane = new Listeners();

/**
 * Keeps where the reader of a session is, so that a reload and every way back end there. Answers how to ask for it
 * when the page opens: one that opens at the end, and was left there, goes there again.
 */
export function useReadingPlace(
  store: ThreadStore,
  { follow }: Pick<ThreadUrl, "follow">,
): NonNullable<Opening["restored"]> {
  const keep = useEffectEvent(() => {
    const view = viewNow(store);
    if (view) keepPlace(view);
  });
  const comeBack = useEffectEvent((isSame: boolean) => {
    store.returnTo(keptOf(store.sessionId)?.place ?? null);
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
    onPanes = soon;
    const now = () => keep();
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    window.addEventListener("pagehide", now);
    return () => {
      stop();
      unsubscribe();
      onPanes = () => undefined;
      clearTimeout(timer);
      document.removeEventListener("scroll", soon, { capture: true });
      window.removeEventListener("pagehide", now);
    };
  }, [store]);
  return () => {
    const kept = keptOf(store.sessionId);
    return follow === "1" && kept?.atEnd ? { ...kept, place: null } : kept;
  };
}

/**
 * Keeps where the reader of an agent's pane is, with the place of the thread beside it. Answers what stood for its
 * address, and how to ask for the place when the pane opens: one that opens at its end, and was left there, goes there
 * again.
 */
export function useKeptPane(
  sessionId: SessionId,
  agent: AgentId,
  toEnd: boolean,
): { address: ThreadAddress | null; restored: NonNullable<Opening["restored"]> } {
  const [kept] = useState(() => keptOf(sessionId)?.panes?.[agent] ?? null);
  return {
    address: kept?.address ?? null,
    restored: () => kept && { open: kept.open, place: toEnd && kept.atEnd ? null : kept.place },
  };
}

/** Has the place of an agent's pane kept while the pane is there. */
export function useKeepPane(agent: AgentId, store: ThreadStore, address: ThreadAddress): void {
  const now = useEffectEvent(() => address);
  useEffect(() => {
    const pane: Pane = { sessionId: store.sessionId, store, address: () => now() };
    panes.set(agent, pane);
    const unsubscribe = store.subscribe(() => onPanes());
    onPane.tell();
    return () => {
      unsubscribe();
      if (panes.get(agent) === pane) panes.delete(agent);
    };
  }, [agent, store]);
}

/** The thread in an agent's pane, while that is on screen. */
export function threadOfPane(sessionId: SessionId, agent: AgentId): ThreadStore | null {
  const pane = panes.get(agent);
  return pane?.sessionId === sessionId ? pane.store : null;
}

/** Calls `listener` whenever an agent's pane has come on screen. Returns how to end it. */
export const followPanes = onPane.add;

/** Where the agents' panes are read that an address lists, and the keys of rows that are open in view there. */
export function panePlaces(listed: string | null): { places: PanePlace[]; open: string[] } {
  const places: PanePlace[] = [];
  const open: string[] = [];
  for (const pane of parsePanes(listed)) {
    const store = pane.kind === "agent" ? panes.get(pane.id)?.store : undefined;
    const seen = store?.seen();
    if (pane.kind !== "agent" || !store || !seen) continue;
    const { recordId, block, offsetPx } = seen;
    const at = formatPermalink({ recordId, block, lines: null, hunk: null });
    places.push({ agent: pane.id, at, y: Math.round(offsetPx) });
    open.push(...store.openInView());
  }
  return { places, open };
}

function nameOf(sessionId: SessionId, { agent, branch }: Pick<ThreadUrl, "agent" | "branch">): string {
  return [sessionId, agent, branch].join("|");
}

function threadNow(store: ThreadStore): KeptThread | null {
  const place = store.place();
  if (!place) return null;
  const { open, position } = store.get();
  return {
    place: { ...place, focused: false },
    open: [...open].slice(-MAX_OPEN),
    atEnd: position.atEnd,
  };
}

/** Where the reader is; `null` while the thread that the address names is not on screen. */
function viewNow(store: ThreadStore): KeptView | null {
  const { sessionId } = store;
  const shown = store.get().thread;
  const view = threadNow(store);
  const of = nameOf(sessionId, threadUrlNow());
  if (!shown || !view || nameOf(sessionId, shown.choice) !== of) return null;
  // One that has been closed, or is not on screen yet, is where it was.
  const beside = { ...keptOf(sessionId)?.panes };
  for (const [agent, pane] of panes) {
    const now = pane.sessionId === sessionId ? threadNow(pane.store) : null;
    if (now) beside[agent] = { ...now, address: pane.address() };
  }
  return { of, ...view, panes: beside };
}

/** Where the reader of a session was when this entry of the history was left. */
function keptOf(sessionId: SessionId): KeptView | null {
  const kept = keptPlace() as KeptView | null;
  return kept?.of === nameOf(sessionId, threadUrlNow()) ? kept : null;
}

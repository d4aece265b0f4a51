import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { followLiveState } from "@/lib/client/live-states";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import { parseJson } from "@/lib/format/json-values";
import { putLatest } from "@/lib/format/lists";
import type { AgentId, SessionId } from "@/lib/wire/ids";

/** What is remembered of each kind; what was looked at longest ago goes first. */
const MAX_SEEN = 500;

/** Up to when the reader has seen each of many things, in this browser. */
class SeenTimes {
  readonly #key: string;
  #cached: { text: string | null; seen: ReadonlyMap<string, number> } = { text: null, seen: new Map() };

  /** @param key what it is stored as */
  constructor(key: string) {
    this.#key = key;
  }

  of(id: string): number | null {
    return this.#read().get(id) ?? null;
  }

  /** Notes that everything up to this time has been looked at. */
  note(id: string, atMs: number): void {
    const seen = new Map(this.#read());
    if ((seen.get(id) ?? 0) >= atMs) return;
    putLatest(seen, id, atMs, MAX_SEEN);
    writeStored(this.#key, JSON.stringify([...seen]));
  }

  follow(listener: () => void): () => void {
    return followStored(this.#key, listener);
  }

  #read(): ReadonlyMap<string, number> {
    const text = readStored(this.#key);
    if (text !== this.#cached.text) this.#cached = { text, seen: parseSeen(text) };
    return this.#cached.seen;
  }
}

const SESSIONS = new SeenTimes("backscroll.seen");
/** By the session's id and the agent's. */
const AGENTS = new SeenTimes("backscroll.seen-agents");

/** When each session was last looked at, oldest first. Any other stored value counts as none. */
export function parseSeen(text: string | null): Map<string, number> {
  const entries = parseJson(text);
  if (!Array.isArray(entries)) return new Map();
  return new Map(
    entries.flatMap((entry: unknown) => {
      const [id, ms] = Array.isArray(entry) ? entry : [];
      return typeof id === "string" && typeof ms === "number" ? [[id, ms] as const] : [];
    }),
  );
}

/** Up to when the reader has seen the session; `null` for one never opened here. */
export function useSeen(id: SessionId): number | null {
  return useSyncExternalStore(
    subscribe,
    () => SESSIONS.of(id),
    () => null,
  );
}

/** What was written while the reader did not look: after one time, up to another, epoch milliseconds. */
export type UnseenTime = { afterMs: number; untilMs: number };

/** What was written since the reader last looked, up to now; `null` for what they never looked at. */
function unseenUntilNow(seenMs: number | null): UnseenTime | null {
  return seenMs === null ? null : { afterMs: seenMs, untilMs: Date.now() };
}

/**
 * Records what is seen while the page is visible, from now on. Whoever comes back to the tab is told once there is
 * something newer than what they saw before they left: until then, what was new before stays so.
 * @param newestMs when the newest of it was written
 * @param returned what a reader who came back may not have seen; kept by the caller, since what is recorded changes
 */
function recordSeen(
  times: SeenTimes,
  id: string,
  newestMs: () => number,
  returned: RefObject<UnseenTime | null>,
  onUnseen: (unseen: UnseenTime) => void,
): { note: () => void; stop: () => void } {
  const note = () => {
    if (document.hidden) return;
    const newest = newestMs();
    if (returned.current && newest > returned.current.afterMs) {
      onUnseen(returned.current);
      returned.current = null;
    }
    times.note(id, newest);
  };
  const onVisibility = () => {
    if (!document.hidden) returned.current = unseenUntilNow(times.of(id));
    note();
  };
  note();
  document.addEventListener("visibilitychange", onVisibility);
  return { note, stop: () => document.removeEventListener("visibilitychange", onVisibility) };
}

/**
 * What was written of the session since the reader last looked, up to when they opened it or came back to its tab:
 * what is written while they look is not new to them. From now on records what is seen: its newest line while the page
 * is visible, either from the answer, `atMs`, or from the stream.
 */
export function useUnseen(id: SessionId, atMs: number | null): UnseenTime | null {
  const [unseen, setUnseen] = useState(() =>
    typeof window === "undefined" ? null : unseenUntilNow(SESSIONS.of(id)),
  );
  const returned = useRef<UnseenTime | null>(null);
  useEffect(() => {
    if (atMs === null) return;
    let newestMs = atMs;
    const { note, stop } = recordSeen(SESSIONS, id, () => newestMs, returned, setUnseen);
    // Not as state of the page: that would rerender all of it whenever the session does something else.
    const unfollow = followLiveState(id, ({ lastLineAtMs }) => {
      newestMs = Math.max(newestMs, lastLineAtMs ?? 0);
      // After drawing: this writes to the browser's storage.
      queueMicrotask(note);
    });
    return () => {
      unfollow();
      stop();
    };
  }, [id, atMs]);
  return unseen;
}

/** The rows of a thread, as far as it matters when the last of them was written; null while that is not known. */
export type WrittenRows = { newestMs: () => number | null; subscribe: (listener: () => void) => () => void };

/**
 * As `useUnseen`, of an agent's thread, in a pane or as the page's own; null without an agent, and for a thread that
 * was never opened here. What is written while nobody has it open is new the next time.
 * @param atMs when the agent wrote its last line, as its entry says
 */
export function useAgentUnseen(
  sessionId: SessionId,
  agentId: AgentId | null,
  atMs: number | null,
  rows: WrittenRows | null,
): UnseenTime | null {
  const id = agentId === null ? null : `${sessionId} ${agentId}`;
  const opened = () => ({
    id,
    unseen: id === null || typeof window === "undefined" ? null : unseenUntilNow(AGENTS.of(id)),
  });
  const [shown, setShown] = useState(opened);
  if (shown.id !== id) setShown(opened());
  const returned = useRef<UnseenTime | null>(null);
  useEffect(() => {
    returned.current = null;
  }, [id]);
  useEffect(() => {
    if (id === null || !rows) return;
    const { note, stop } = recordSeen(
      AGENTS,
      id,
      () => Math.max(atMs ?? 0, rows.newestMs() ?? 0),
      returned,
      (unseen) => setShown({ id, unseen }),
    );
    const unfollow = rows.subscribe(() => queueMicrotask(note));
    return () => {
      unfollow();
      stop();
    };
  }, [id, atMs, rows]);
  return shown.unseen;
}

function subscribe(listener: () => void): () => void {
  return SESSIONS.follow(listener);
}

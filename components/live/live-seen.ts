import { useEffect, useState, useSyncExternalStore } from "react";
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

/**
 * The time up to which the session had been seen when it was opened; from now on records what is seen: its newest line
 * while the page is visible, either from the answer, `atMs`, or from the stream.
 */
export function useSeenBefore(id: SessionId, atMs: number | null): number | null {
  const [before] = useState(() => (typeof window === "undefined" ? null : SESSIONS.of(id)));
  useEffect(() => {
    if (atMs === null) return;
    let newestMs = atMs;
    const note = () => {
      if (!document.hidden) SESSIONS.note(id, newestMs);
    };
    // Not as state of the page: that would rerender all of it whenever the session does something else.
    const unfollow = followLiveState(id, ({ lastLineAtMs }) => {
      newestMs = Math.max(newestMs, lastLineAtMs ?? 0);
      // After drawing: this writes to the browser's storage.
      queueMicrotask(note);
    });
    note();
    document.addEventListener("visibilitychange", note);
    return () => {
      unfollow();
      document.removeEventListener("visibilitychange", note);
    };
  }, [id, atMs]);
  return before;
}

/** The rows of a thread, as far as it matters when the last of them was written; null while that is not known. */
export type WrittenRows = { newestMs: () => number | null; subscribe: (listener: () => void) => () => void };

/**
 * As `useSeenBefore`, of an agent's thread, in a pane or as the page's own; null without an agent, and for a thread that
 * was never opened here. What is written while nobody has it open is new the next time.
 * @param atMs when the agent wrote its last line, as its entry says
 */
export function useAgentSeenBefore(
  sessionId: SessionId,
  agentId: AgentId | null,
  atMs: number | null,
  rows: WrittenRows | null,
): number | null {
  const id = agentId === null ? null : `${sessionId} ${agentId}`;
  const seenNow = () => (id === null || typeof window === "undefined" ? null : AGENTS.of(id));
  const [before, setBefore] = useState(() => ({ id, seenMs: seenNow() }));
  if (before.id !== id) setBefore({ id, seenMs: seenNow() });
  useEffect(() => {
    if (id === null || !rows) return;
    const note = () => {
      if (!document.hidden) AGENTS.note(id, Math.max(atMs ?? 0, rows.newestMs() ?? 0));
    };
    const unfollow = rows.subscribe(() => queueMicrotask(note));
    note();
    document.addEventListener("visibilitychange", note);
    return () => {
      unfollow();
      document.removeEventListener("visibilitychange", note);
    };
  }, [id, atMs, rows]);
  return before.seenMs;
}

function subscribe(listener: () => void): () => void {
  return SESSIONS.follow(listener);
}

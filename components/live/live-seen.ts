import { useEffect, useState, useSyncExternalStore } from "react";
import { followLiveState } from "@/lib/client/live-states";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import { parseJson } from "@/lib/format/json-values";
import { putLatest } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";

const KEY = "backscroll.seen";
/** Sessions remembered; the ones looked at longest ago go first. */
const MAX_SEEN = 500;

let cached: { text: string | null; seen: ReadonlyMap<string, number> } = { text: null, seen: new Map() };

function read(): ReadonlyMap<string, number> {
  const text = readStored(KEY);
  if (text === cached.text) return cached.seen;
  cached = { text, seen: parseSeen(text) };
  return cached.seen;
}

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

/** Notes that everything up to this time of the session has been looked at. */
function noteSeen(id: SessionId, atMs: number): void {
  const seen = new Map(read());
  if ((seen.get(id) ?? 0) >= atMs) return;
  putLatest(seen, id, atMs, MAX_SEEN);
  writeStored(KEY, JSON.stringify([...seen]));
}

/** Up to when the reader has seen the session; `null` for one never opened here. */
export function useSeen(id: SessionId): number | null {
  return useSyncExternalStore(
    subscribe,
    () => read().get(id) ?? null,
    () => null,
  );
}

/**
 * The time up to which the session had been seen when it was opened; from now on records what is seen: its newest line
 * while the page is visible, either from the answer, `atMs`, or from the stream.
 */
export function useSeenBefore(id: SessionId, atMs: number | null): number | null {
  const [before] = useState(() => (typeof window === "undefined" ? null : (read().get(id) ?? null)));
  useEffect(() => {
    if (atMs === null) return;
    let newestMs = atMs;
    const note = () => {
      if (!document.hidden) noteSeen(id, newestMs);
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

function subscribe(listener: () => void): () => void {
  return followStored(KEY, listener);
}

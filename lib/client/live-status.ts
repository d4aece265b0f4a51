import { useSyncExternalStore } from "react";

/**
 * How the page's stream stands. `sinceMs`: since when it is not live. `again`: it is live after a pause of so
 * many milliseconds, told for a moment.
 */
export type LiveStatus = {
  kind: "connecting" | "live" | "stale" | "hidden";
  sinceMs: number | null;
  nextTryAtMs: number | null;
  againAfterMs: number | null;
};

/** A pause that is over sooner is not worth a word. */
const UNNOTICED_MS = 1_500;
const AGAIN_MS = 6_000;

/** Keeps a stream's status, outside React: it changes between renders. */
export class LiveStatusStore {
  private readonly listeners = new Set<() => void>();
  private status: LiveStatus = { kind: "connecting", sinceMs: null, nextTryAtMs: null, againAfterMs: null };
  private timer: ReturnType<typeof setTimeout> | null = null;
  private wasLive = false;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get = (): LiveStatus => this.status;

  set({ kind, nextTryAtMs = null }: { kind: LiveStatus["kind"]; nextTryAtMs?: number | null }): void {
    const nowMs = Date.now();
    const { sinceMs } = this.status;
    const pausedMs = kind === "live" && sinceMs !== null ? nowMs - sinceMs : 0;
    // What was not there yet when the page was opened, as a session before its first line, comes for the first time.
    const againAfterMs = this.wasLive && pausedMs > UNNOTICED_MS ? pausedMs : null;
    this.wasLive ||= kind === "live";
    this.change({ kind, sinceMs: kind === "stale" ? (sinceMs ?? nowMs) : null, nextTryAtMs, againAfterMs });
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (againAfterMs !== null) {
      this.timer = setTimeout(() => this.change({ ...this.status, againAfterMs: null }), AGAIN_MS);
    }
  }

  private change(next: LiveStatus): void {
    this.status = next;
    for (const listener of [...this.listeners]) listener();
  }
}

/** The status, renewed when it changes. */
export function useLiveStatus(store: LiveStatusStore): LiveStatus {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

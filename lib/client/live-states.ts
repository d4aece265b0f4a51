import { useSyncExternalStore } from "react";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveState } from "@/lib/wire/live";

const listeners = new Set<() => void>();
const states = new Map<SessionId, LiveState>();

/** Keeps what the stream says of a session. */
export function setLiveState(state: LiveState): void {
  states.set(state.sessionId, state);
  for (const listener of [...listeners]) listener();
}

/** How a session stands, as far as this page has been told. */
export function useLiveState(id: SessionId): LiveState | null {
  const read = () => states.get(id) ?? null;
  return useSyncExternalStore(subscribe, read, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

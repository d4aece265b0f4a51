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

/**
 * What `ask` answers of a session. How it stands is the stream's word, if that came while the answer was on its way: the
 * answer may be of before it.
 */
export async function withLiveState<Answer extends Pick<LiveState, "state" | "sinceMs">>(
  id: SessionId,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const before = states.get(id);
  const answer = await ask();
  const told = states.get(id);
  return told && told !== before ? { ...answer, state: told.state, sinceMs: told.sinceMs } : answer;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

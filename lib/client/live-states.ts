import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import type { LiveState } from "@/lib/wire/live";
import { Listeners } from "./listeners";

const listeners = new Listeners();
const states = new Map<SessionId, LiveState>();

/** Keeps what the stream says of a session. It is on the page before anything else that came with it is drawn. */
export function setLiveState(state: LiveState): void {
  states.set(state.sessionId, state);
  flushSync(() => listeners.tell());
}

/** Calls `told` with what this page has been told of a session, and with every change of that. Returns how to end it. */
export function followLiveState(id: SessionId, told: (state: LiveState) => void): () => void {
  let known: LiveState | null = null;
  const look = () => {
    const state = states.get(id) ?? null;
    if (state !== null && state !== known) told(state);
    known = state;
  };
  look();
  return listeners.add(look);
}

/** How a session stands, as far as this page has been told. */
export function useLiveState(id: SessionId): LiveState | null {
  const read = () => states.get(id) ?? null;
  return useSyncExternalStore(listeners.add, read, () => null);
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

type Standing = Pick<SessionSummary, "state" | "sinceMs">;

/** Still being written, as far as can be told: it is under way, or has just ended and may get its last lines. */
export function isLive(session: Standing | null): boolean {
  return session !== null && (isInProgress(session) || session.state === "idle");
}

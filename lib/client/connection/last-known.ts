import { useSyncExternalStore } from "react";
import { Listeners } from "../listeners";

/*
 * What a page says of running sessions is the server's word, by its stream. While that is lost the word is of the moment in
 * which it was last heard, and no clock counts on from there.
 */

const listeners = new Listeners();
/** The streams that are lost, and when each was last heard. */
const lost = new Map<object, number>();

/** Notes when a stream that was lost was last heard, in epoch milliseconds; `null` for one that is there, or has ended. */
export function noteLastHeard(stream: object, atMs: number | null): void {
  const before = lastKnownMs();
  if (atMs === null) lost.delete(stream);
  else lost.set(stream, atMs);
  if (lastKnownMs() !== before) listeners.tell();
}

/** The same as `useLastKnown`, for once. */
export function lastKnownMs(): number | null {
  return lost.size === 0 ? null : Math.min(...lost.values());
}

/** Of which moment is what this page shows of running sessions, in epoch milliseconds; `null` while that is now. */
export function useLastKnown(): number | null {
  return useSyncExternalStore(listeners.add, lastKnownMs, () => null);
}

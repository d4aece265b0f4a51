import { useSyncExternalStore } from "react";
import { Listeners } from "../listeners";

/*
 * What a page says of running sessions is the server's word, by its stream. While that is lost the word is of the moment in
 * which it was last heard, and no clock counts on from there.
 */

const listeners = new Listeners();

/** A connection that comes back within this time needs no word, and no clock stops for it. */
export const QUIET_MS = 1_000;

/** A stream that is lost: when it was last heard, and whether it is for so long that the page says so. */
type Lost = { heardAtMs: number; isSaid: boolean; timer: ReturnType<typeof setTimeout> };

const lost = new Map<object, Lost>();

/** Notes when a stream that was lost was last heard, in epoch milliseconds; `null` for one that is there, or has ended. */
export function noteLastHeard(stream: object, atMs: number | null): void {
  const before = lastKnownMs();
  const known = lost.get(stream);
  if (atMs === null) {
    clearTimeout(known?.timer);
    lost.delete(stream);
  } else if (known) known.heardAtMs = atMs;
  else lost.set(stream, begin(stream, atMs));
  if (lastKnownMs() !== before) listeners.tell();
}

function begin(stream: object, heardAtMs: number): Lost {
  const say = () => {
    const known = lost.get(stream);
    if (known) known.isSaid = true;
    listeners.tell();
  };
  return { heardAtMs, isSaid: false, timer: setTimeout(say, QUIET_MS) };
}

/** The same as `useLastKnown`, for once. */
export function lastKnownMs(): number | null {
  const said = [...lost.values()].filter(({ isSaid }) => isSaid);
  return said.length === 0 ? null : Math.min(...said.map(({ heardAtMs }) => heardAtMs));
}

/** Of which moment is what this page shows of running sessions, in epoch milliseconds; `null` while that is now. */
export function useLastKnown(): number | null {
  return useSyncExternalStore(listeners.add, lastKnownMs, () => null);
}

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { paced } from "@/lib/client/paced";

/** Where the reader is in a thread. Indexes are of rows; `turn` is 0 before the first prompt. */
export type ThreadPosition = {
  first: number;
  last: number;
  total: number;
  turn: number;
  selected: number | null;
  /** The end of the thread is in view. */
  atEnd: boolean;
  /** Rows that have come below since the end was in view. */
  fresh: number;
};

const SOON_MS = 100;
const LANDING_MS = 500;

/** Changes with every scrolled row, so it is kept out of React's tree: only who shows it draws again. */
export class PositionStore {
  private readonly listeners = new Set<() => void>();
  private position: ThreadPosition = {
    first: 0,
    last: 0,
    total: 0,
    turn: 0,
    selected: null,
    atEnd: false,
    fresh: 0,
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get = (): ThreadPosition => this.position;

  /** Resolves when this row is selected and in view, or is not within a moment: the thread may be another by then. */
  async reached(row: number): Promise<void> {
    const isThere = () => {
      const { selected, first, last } = this.position;
      return selected === row && first <= row && row <= last;
    };
    if (isThere()) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = setTimeout(end, LANDING_MS);
      const unsubscribe = this.subscribe(() => {
        if (isThere()) end();
      });
    });
  }

  set(next: ThreadPosition): void {
    const same = (Object.keys(next) as (keyof ThreadPosition)[]).every(
      (name) => next[name] === this.position[name],
    );
    if (same) return;
    this.position = next;
    for (const listener of [...this.listeners]) listener();
  }
}

/** Where the reader is, or what `select` makes of it (a number or string, so that it can be compared). */
export function usePosition<Value extends string | number | boolean | null>(
  store: PositionStore,
  select: (position: ThreadPosition) => Value,
): Value {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}

/**
 * As `usePosition`, for what need not keep up with a scroll, as the outline: soon after the reader has moved, and
 * while they go on moving at most every `everyMs`.
 */
export function useSlowPosition<Value extends string | number | boolean | null>(
  store: PositionStore,
  select: (position: ThreadPosition) => Value,
  everyMs: number,
): Value {
  const [value, setValue] = useState(() => select(store.get()));
  const read = useEffectEvent(() => setValue(select(store.get())));
  useEffect(() => {
    const following = paced(read, SOON_MS, everyMs);
    read();
    const unsubscribe = store.subscribe(following.ask);
    return () => {
      unsubscribe();
      following.stop();
    };
  }, [store, everyMs]);
  return value;
}

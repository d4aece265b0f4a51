import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { ApiError, api } from "@/lib/client/api";
import type { ThreadChoice } from "@/lib/client/session-url";
import { coalesced } from "@/lib/client/throttle";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

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
    const following = coalesced(read, SOON_MS, everyMs);
    read();
    const unsubscribe = store.subscribe(following.ask);
    return () => {
      unsubscribe();
      following.stop();
    };
  }, [store, everyMs]);
  return value;
}

/** Reads folded turns, `1-20,30`. What is no number is left out. */
export function parseFold(text: string): Set<number> {
  const turns = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
    if (!match) continue;
    const from = Number(match[1]);
    const to = Math.min(Number(match[2] ?? from), from + 20_000);
    for (let turn = from; turn <= to; turn++) turns.add(turn);
  }
  return turns;
}

/** The inverse, as short as ranges make it; `null` for none. */
export function formatFold(turns: ReadonlySet<number>): string | null {
  const sorted = [...turns].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i];
    while (sorted[i + 1] === (sorted[i] ?? 0) + 1) i++;
    parts.push(from === sorted[i] ? `${from}` : `${from}-${sorted[i]}`);
  }
  return parts.length > 0 ? parts.join(",") : null;
}

/**
 * How many turns the thread has that `choice` shows: those of its branch, which are fewer than the session's where
 * it was rewound. `null` where that is not known: no session yet, an agent's thread, a branch past the first 21.
 */
export function threadTurns(
  session: Pick<SessionDetail, "branches"> | null,
  { agent, branch }: Pick<ThreadChoice, "agent" | "branch">,
): number | null {
  if (!session || agent !== null) return null;
  const shown = session.branches.find(({ id, active }) => (branch === null ? active : id === branch));
  return shown?.turns ?? null;
}

/** Whether the chosen view leaves a record out. One that cannot be asked for counts as shown. */
export async function isHidden(
  sessionId: SessionId,
  { branch, agent, detail, fold, runs }: ThreadChoice,
  recordId: RecordId,
): Promise<boolean> {
  if (detail === "everything" && fold === null) return false;
  try {
    const query = { branch, agent, detail, fold, runs, around: recordId, count: 1 };
    const { at } = await api.rows(sessionId, query);
    return at === null;
  } catch (cause) {
    if (cause instanceof ApiError) return false;
    throw cause;
  }
}

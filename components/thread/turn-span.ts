import { createContext, useContext, useSyncExternalStore } from "react";
import type { Row } from "@/lib/wire/rows";

/** How long turns took, for the scale of their rows' spans. A row draws again only when its own turn's changes. */
export class TurnSpans {
  private readonly listeners = new Set<() => void>();
  private readonly known = new Map<number, number | null>();

  constructor(rows: Iterable<Row> = []) {
    this.learn(rows);
  }

  /** Takes the turns among these rows. */
  learn(rows: Iterable<Row>): void {
    let changed = false;
    for (const row of rows) {
      if (row.kind !== "turn" || this.known.get(row.turn) === row.durationMs) continue;
      this.known.set(row.turn, row.durationMs);
      changed = true;
    }
    if (changed) for (const listener of [...this.listeners]) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** `null` while the turn's header has not been seen. */
  of(turn: number): number | null {
    return this.known.get(turn) ?? null;
  }
}

export const TurnSpanContext = createContext(new TurnSpans());

export function useTurnSpan(turn: number): number | null {
  const spans = useContext(TurnSpanContext);
  const read = () => spans.of(turn);
  return useSyncExternalStore(spans.subscribe, read, read);
}

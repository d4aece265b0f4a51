import { createContext, useContext } from "react";

/** How long a turn took, for the scale of its rows' spans; `null` while its header has not been seen. */
export type TurnSpans = (turn: number) => number | null;

export const TurnSpanContext = createContext<TurnSpans>(() => null);

export function useTurnSpan(turn: number): number | null {
  return useContext(TurnSpanContext)(turn);
}

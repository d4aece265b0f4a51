import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api } from "@/lib/client/api";
import type { WindowsSnapshot } from "@/lib/client/thread-windows";
import type { SessionId } from "@/lib/wire/ids";
import type { TurnRow } from "@/lib/wire/rows";
import type { OpenThread } from "./use-thread";

/**
 * The headers of turns that have been on screen, which outlive their page: the turn at the top needs
 * its header however far up it begins. One that was jumped over is asked for by its place in the outline.
 */
export function useTurnHeaders(
  sessionId: SessionId,
  { choice, windows }: OpenThread,
  snapshot: WindowsSnapshot,
  turn: number,
): { current: TurnRow | null; of: (turn: number) => TurnRow | undefined } {
  const known = useRef(new Map<number, TurnRow>());
  const learned = useMemo(() => learn(known.current, windows, snapshot), [windows, snapshot]);

  const isMissed = turn > 0 && !learned.has(turn) && choice.agent === null;
  const missed = useQuery({
    // One key for all that are there: each key would be a query of its own, made while scrolling.
    queryKey: ["turn-header", sessionId, choice.key, isMissed ? turn : null],
    queryFn: async ({ signal }) => {
      const { branch, detail, fold, runs } = choice;
      const { turns } = await api.outline(
        sessionId,
        { branch, detail, fold, runs, from: turn - 1, count: 1 },
        { signal },
      );
      const row = turns[0]?.turn === turn ? turns[0].row : null;
      if (row === null) return null;
      const query = { branch, detail, fold, runs, from: row, count: 1 };
      const { rows } = await api.rows(sessionId, query, { signal });
      return rows[0]?.kind === "turn" ? rows[0] : null;
    },
    enabled: isMissed,
    staleTime: 60_000,
  });
  const fetched = missed.data ?? null;
  useEffect(() => {
    if (fetched) known.current.set(fetched.turn, fetched);
  }, [fetched]);
  const of = (one: number) => learned.get(one) ?? (fetched?.turn === one ? fetched : undefined);
  return { current: of(turn) ?? null, of };
}

/** Adds the headers among the loaded rows; a new map for each snapshot, that is for each page that came. */
function learn(
  known: Map<number, TurnRow>,
  windows: OpenThread["windows"],
  snapshot: WindowsSnapshot,
): ReadonlyMap<number, TurnRow> {
  if (snapshot.loaded === 0) return known;
  for (const [, row] of windows.loaded()) if (row.kind === "turn") known.set(row.turn, row);
  return new Map(known);
}

import { useCallback, useMemo, useReducer, useState } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { WindowsSnapshot } from "@/components/thread/thread-windows";
import type { TurnRow } from "@/lib/wire/rows";

/** The headers of turns that are known. */
export type TurnHeaders = {
  of: (turn: number) => TurnRow | null;
  add: (header: TurnRow) => void;
};

/**
 * The headers of turns that have been on screen, which outlive their page: the turn at the top needs
 * its header however far up it begins.
 */
export function useTurnHeaders({ windows }: OpenThread, snapshot: WindowsSnapshot): TurnHeaders {
  const drawAgain = useReducer((times: number) => times + 1, 0)[1];
  const [known] = useState(() => new Map<number, TurnRow>());
  const learned = useMemo(() => learn(known, windows, snapshot), [known, windows, snapshot]);
  const add = useCallback(
    (header: TurnRow) => {
      known.set(header.turn, header);
      drawAgain();
    },
    [known, drawAgain],
  );
  return { of: (turn) => learned.get(turn) ?? null, add };
}

/** Adds the headers among the loaded rows: once for each snapshot, that is for each page that came. */
function learn(
  known: Map<number, TurnRow>,
  windows: OpenThread["windows"],
  snapshot: WindowsSnapshot,
): ReadonlyMap<number, TurnRow> {
  if (snapshot.loaded > 0)
    for (const [, row] of windows.loaded()) if (row.kind === "turn") known.set(row.turn, row);
  return known;
}

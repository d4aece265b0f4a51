import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import { TurnHeader } from "@/components/thread/rows/turn-line";
import type { WindowsSnapshot } from "@/components/thread/thread-windows";
import { useThreadState, useThreadStore } from "@/components/thread/use-thread";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
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

/**
 * The header of the turn at the top of the list, over its rows.
 * @param isAtItsPlace the turn begins right there, with its own header
 */
export function TopHeader({
  choice,
  turn,
  headers,
  isAtItsPlace,
}: {
  choice: ThreadChoice;
  turn: number;
  headers: TurnHeaders;
  isAtItsPlace: boolean;
}) {
  const { sessionId } = useThreadActions();
  const selectedKey = useThreadState(useThreadStore(), (state) => state.selectedKey);
  const facts = headers.of(turn);
  if (facts)
    return isAtItsPlace ? null : (
      <div aria-hidden="true" className="sticky top-0 z-3 h-0">
        <TurnHeader facts={facts} selected={selectedKey === facts.key} />
      </div>
    );
  if (turn <= 0 || choice.agent !== null) return null;
  return <MissedHeader sessionId={sessionId} choice={choice} turn={turn} onHeader={headers.add} />;
}

/**
 * Asks for the header of a turn that was jumped over, by its place in the outline. Shows nothing; stands in the
 * page only while a header is missed, since a query costs something with every frame of a scroll.
 */
function MissedHeader({
  sessionId,
  choice,
  turn,
  onHeader,
}: {
  sessionId: SessionId;
  choice: ThreadChoice;
  turn: number;
  onHeader: (header: TurnRow) => void;
}) {
  const { data } = useQuery({
    queryKey: ["turn-header", sessionId, choice.key, turn],
    queryFn: async ({ signal }) => {
      const { branch, detail, fold, runs } = choice;
      const query = { branch, detail, fold, runs, count: 1 };
      const { turns } = await api.outline(sessionId, { ...query, from: turn - 1 }, { signal });
      const row = turns[0]?.turn === turn ? turns[0].row : null;
      if (row === null) return null;
      const { rows } = await api.rows(sessionId, { ...query, from: row }, { signal });
      return rows[0]?.kind === "turn" ? rows[0] : null;
    },
    staleTime: 60_000,
  });
  useEffect(() => {
    if (data) onHeader(data);
  }, [data, onHeader]);
  return null;
}

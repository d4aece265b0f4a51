import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/client/api";
import type { ThreadChoice } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import type { TurnRow } from "@/lib/wire/rows";

/**
 * Asks for the header of a turn that was jumped over, by its place in the outline. Shows nothing; stands in the
 * page only while a header is missed, since a query costs something with every frame of a scroll.
 */
export function MissedHeader({
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

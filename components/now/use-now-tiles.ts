import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveLibrary } from "@/components/library/use-live-library";
import { api } from "@/lib/client/api";
import { throttled } from "@/lib/client/live-throttle";
import type { LiveEvent, NowResponse } from "@/lib/wire/live";
import { NowStates } from "./now-states";

/** Tiles show single calls: they follow each change, but not each line of a burst. */
const RENEW_MS = 400;
const SCAN_POLL_MS = 1_000;

/** Every session that runs or waits: how it stands as soon as the stream tells, its rows renewed as they are written. */
export function useNowTiles() {
  const client = useQueryClient();
  const [states] = useState(() => new NowStates());
  const [onNews] = useState(() => {
    const renew = throttled(RENEW_MS, () => client.invalidateQueries({ queryKey: ["now"] }));
    return (event: LiveEvent | null) => {
      const told = event?.kind === "state" ? [event.state] : event?.kind === "hello" ? event.states : [];
      for (const state of told)
        client.setQueryData<NowResponse>(["now"], (board) => states.tell(board, state));
      renew();
    };
  });
  const stream = useLiveLibrary(onNews);
  const tiles = useQuery({
    queryKey: ["now"],
    queryFn: ({ signal }) => states.over(() => api.now({ signal })),
    // Tiles without rows: their sessions are being read for the first time.
    refetchInterval: ({ state }) =>
      state.data?.tiles.some(({ rows }) => rows.length === 0) ? SCAN_POLL_MS : false,
  });
  return { stream, tiles };
}

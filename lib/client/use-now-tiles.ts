import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "./api";
import { throttled } from "./live-throttle";
import { useLiveLibrary } from "./use-live-library";

/** Tiles show single calls: they follow each change, but not each line of a burst. */
const RENEW_MS = 400;
const SCAN_POLL_MS = 1_000;

/** Every session that runs or waits, renewed as they are written. */
export function useNowTiles() {
  const client = useQueryClient();
  const [renew] = useState(() => throttled(RENEW_MS, () => client.invalidateQueries({ queryKey: ["now"] })));
  const stream = useLiveLibrary(renew);
  const tiles = useQuery({
    queryKey: ["now"],
    queryFn: ({ signal }) => api.now({ signal }),
    // Tiles without rows: their sessions are being read for the first time.
    refetchInterval: ({ state }) =>
      state.data?.tiles.some(({ rows }) => rows.length === 0) ? SCAN_POLL_MS : false,
  });
  return { stream, tiles };
}

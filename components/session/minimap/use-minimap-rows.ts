import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCommentPlaces } from "@/components/session/comments/session-comments";
import type { OpenThread } from "@/components/thread/open-thread";
import { useLiveRefetch, useThreadState, useThreadStore } from "@/components/thread/use-thread";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import type { MinimapResponse } from "@/lib/wire/graph";
import type { RecordId } from "@/lib/wire/ids";

/** Of a search that is not complete, so that the server does not know of its hits. */
const MAX_FINDS = 300;

/**
 * A thread's rows as the server places them in the minimap: with the hits of a search among them (`data`), and with the
 * reader's own comments and bookmarks in the place of hits (`own`; undefined where there are none).
 */
export function useMinimapRows(
  { choice, windows }: OpenThread,
  covered: boolean,
): { data: MinimapResponse | undefined; own: MinimapResponse | undefined } {
  const store = useThreadStore();
  const hits = useThreadState(store, (state) => state.hits);
  const q = useThreadState(store, (state) => state.hitsOf);
  const { records } = useCommentPlaces();
  const found = useMemo(() => (q === null ? sampleOf(hits, MAX_FINDS) : []), [hits, q]);
  const { data, refetch } = usePlacedRows(choice, { find: found, q, key: [found, q, hits.length] });
  useLiveRefetch(windows, refetch, !covered);
  const annotated = useMemo(() => sampleOf(records, MAX_FINDS), [records]);
  const own = usePlacedRows(
    choice,
    { find: annotated, q: null, key: ["annotated", records, data?.total] },
    records.length > 0 && data !== undefined,
  );
  return { data, own: records.length > 0 ? own.data : undefined };
}

/** What the server answers for these records, or hits of a query; meanwhile what it answered last. */
function usePlacedRows(
  { key, branch, agent, detail, fold, runs }: ThreadChoice,
  wanted: { find: readonly RecordId[]; q: string | null; key: readonly unknown[] },
  enabled = true,
) {
  const { sessionId } = useThreadStore();
  return useQuery({
    queryKey: ["thread-marks", sessionId, key, ...wanted.key],
    queryFn: ({ signal }) => {
      const { find, q } = wanted;
      return api.minimap(sessionId, { branch, agent, detail, fold, runs, find, q }, { signal });
    },
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
}

/** At most so many, from the first to the last of them. */
export function sampleOf<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item);
}

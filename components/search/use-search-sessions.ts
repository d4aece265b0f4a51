import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";

const PAGE = 500;
const MOST_PAGES = 20;

/** Sessions by their id, for names beside hits and for filtering while one types: the newest 10,000. */
export function useSearchSessions(): {
  list: SessionSummary[];
  byId: ReadonlyMap<SessionId, SessionSummary>;
} {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ["search-sessions"],
    queryFn: ({ pageParam, signal }) => api.sessions({ limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last, pages) => (pages.length < MOST_PAGES ? last.nextCursor : null),
    staleTime: 30_000,
  });
  const more = hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (more) void fetchNextPage();
  }, [more, fetchNextPage]);
  return useMemo(() => {
    const byId = new Map<SessionId, SessionSummary>();
    for (const page of data?.pages ?? []) for (const session of page.sessions) byId.set(session.id, session);
    return { list: [...byId.values()], byId };
  }, [data]);
}

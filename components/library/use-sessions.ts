import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import type { SessionSummary, SessionsQuery, SessionsResponse } from "@/lib/wire/library";
import type { QueryProblem } from "@/lib/wire/search";

const FIRST_PAGE = 100;
const PAGE = 500;
/** Loaded without being asked for, so that facets and counts are whole; past it, by scrolling. */
const EAGER_SESSIONS = 5_000;
const WHOLE_LIST_POLL_MS = 10_000;
const NO_PROBLEMS: readonly QueryProblem[] = [];

/**
 * The sessions of the library. The first page comes at once and is renewed often; the others follow one
 * after the other, and are renewed while the server indexes. `whole` asks for all of them.
 */
export function useSessions(query: SessionsQuery, whole: boolean) {
  const health = useHealth();
  const indexing = health.data ? !health.data.indexing.done : false;
  const pages = useInfiniteQuery({
    queryKey: ["sessions", query],
    queryFn: ({ pageParam, signal }) =>
      api.sessions({ ...query, limit: pageParam ? PAGE : FIRST_PAGE, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: indexing ? WHOLE_LIST_POLL_MS : false,
  });
  const head = useQuery({
    queryKey: ["sessions", query, "head"],
    queryFn: ({ signal }) => api.sessions({ ...query, limit: FIRST_PAGE }, { signal }),
    enabled: pages.isSuccess && !pages.isPlaceholderData,
    initialData: pages.isPlaceholderData ? undefined : pages.data?.pages[0],
    initialDataUpdatedAt: pages.dataUpdatedAt,
    refetchInterval: listPollMs(health.data),
    refetchOnWindowFocus: true,
  });

  const { hasNextPage, isFetching, fetchNextPage, isError, refetch } = pages;
  const loaded = pages.data?.pages.reduce((sum, page) => sum + page.sessions.length, 0) ?? 0;
  const more = hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (more && (whole || loaded < EAGER_SESSIONS)) void fetchNextPage();
  }, [more, whole, loaded, fetchNextPage]);
  const wasUnreachable = pages.error instanceof ApiError && pages.error.status === 0;
  const recovered = wasUnreachable && health.isSuccess && health.dataUpdatedAt > pages.errorUpdatedAt;
  useEffect(() => {
    if (recovered) void refetch();
  }, [recovered, refetch]);
  // The last numbers of an indexing run reach every page, not only the first.
  const sawIndexing = useRef(false);
  useEffect(() => {
    if (sawIndexing.current && !indexing) void refetch();
    sawIndexing.current = indexing;
  }, [indexing, refetch]);

  const fresh = pages.isPlaceholderData ? undefined : head.data;
  const sessions = useMemo(() => merge(fresh, pages.data?.pages), [fresh, pages.data]);
  return {
    sessions,
    /** What the server finds wrong with the query. */
    problems: pages.data?.pages[0]?.problems ?? NO_PROBLEMS,
    total: fresh?.total ?? pages.data?.pages[0]?.total ?? null,
    complete: pages.isSuccess && !hasNextPage && !pages.isPlaceholderData,
    isPending: pages.isPending,
    /** Another query's sessions, until those of this one come. */
    isPlaceholder: pages.isPlaceholderData,
    error: pages.error ?? (pages.data ? null : head.error),
    updatedAtMs: Math.max(head.dataUpdatedAt, pages.dataUpdatedAt),
    loadMore: () => {
      if (more) void fetchNextPage();
    },
    retry: () => void refetch(),
  };
}

/** The renewed first page, then what the pages hold besides, each session once. */
function merge(head: SessionsResponse | undefined, pages: SessionsResponse[] | undefined): SessionSummary[] {
  const byId = new Map<string, SessionSummary>();
  for (const page of head ? [head, ...(pages ?? [])] : (pages ?? [])) {
    for (const session of page.sessions) if (!byId.has(session.id)) byId.set(session.id, session);
  }
  return [...byId.values()];
}

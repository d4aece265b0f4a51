import {
  type InfiniteData,
  keepPreviousData,
  type Query,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { LiveStream } from "@/lib/client/connection/live-stream";
import { setLiveState } from "@/lib/client/live-states";
import { throttled } from "@/lib/client/throttle";
import { useDebounced } from "@/lib/client/use-debounced";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import { useNow } from "@/lib/client/use-now";
import { parseQuery } from "@/lib/query/parse-query";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary, SessionsResponse } from "@/lib/wire/library";
import type { LiveEvent, LiveState } from "@/lib/wire/live";
import type { SessionsRequest } from "@/lib/wire/requests/library";
import type { Asked } from "@/lib/wire/requests/values";
import type { QueryProblem } from "@/lib/wire/search";
import { hasOwnFilters, passes, useLibraryFilters } from "./library-filters";

const TYPING_PAUSE_MS = 120;

/**
 * The listed sessions: the server's answer to project, words and order, without those that the page filters out itself.
 */
export function useLibrary() {
  const [filters] = useLibraryFilters();
  const words = useDebounced(filters.q, TYPING_PAUSE_MS);
  const query = { project: filters.project as ProjectId | null, q: words || null, sort: filters.sort };
  const list = useSessions(query, hasOwnFilters(filters));
  const applied = useDeferredValue(filters);
  const nowMs = useNow();
  const shown = useMemo(
    () => list.sessions.filter((session) => passes(session, applied, nowMs)),
    [list.sessions, applied, nowMs],
  );
  const settled = words === filters.q && applied === filters && !list.isPlaceholder;
  // Errors are shown while the reader types; those that only the server can find, such as an invalid expression, after
  // that.
  const typed = useMemo(() => parseQuery(filters.q).errors, [filters.q]);
  const answered = words === filters.q && !list.isPlaceholder && list.problems.length > 0;
  const problems = answered ? list.problems : typed;
  return { ...list, problems, shown, settled, filters, nowMs };
}

export type LibraryList = ReturnType<typeof useLibrary>;

const FIRST_PAGE = 100;
const PAGE = 500;
/** Loaded without scrolling, so that facets and counts are complete; beyond that, by scrolling. */
const EAGER_SESSIONS = 5_000;
const WHOLE_LIST_POLL_MS = 10_000;
const NO_PROBLEMS: readonly QueryProblem[] = [];

/**
 * The sessions of the library. The first page comes at once and is renewed often; the others follow one after the
 * other, and are renewed while the server indexes. `whole` requests all of them.
 */
function useSessions(query: Asked<typeof SessionsRequest>, whole: boolean) {
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
  const fresh = pages.isPlaceholderData ? undefined : head.data;
  const sessions = useMemo(() => merge(fresh, pages.data?.pages), [fresh, pages.data]);
  // The last numbers of an indexing run reach the whole list, even if it ended between the list's answer and the
  // health's. The first page takes precedence over the others.
  const lacksNumbers = sessions.some(isUnread);
  const isSettled = health.isSuccess && !indexing && pages.isSuccess;
  const renewed = useRef(false);
  const renewHead = head.refetch;
  useEffect(() => {
    if (isSettled && !renewed.current && lacksNumbers) void Promise.all([refetch(), renewHead()]);
    renewed.current = isSettled;
  }, [isSettled, lacksNumbers, refetch, renewHead]);

  return {
    sessions,
    /** The errors that the server found in the query. */
    problems: pages.data?.pages[0]?.problems ?? NO_PROBLEMS,
    total: fresh?.total ?? pages.data?.pages[0]?.total ?? null,
    /** How many more sessions the query would find if they were not hidden. */
    hidden: fresh?.hidden ?? pages.data?.pages[0]?.hidden ?? 0,
    complete: pages.isSuccess && !hasNextPage && !pages.isPlaceholderData,
    isPending: pages.isPending,
    /** The sessions of the previous query, until those of this one arrive. */
    isPlaceholder: pages.isPlaceholderData,
    error: pages.error ?? (pages.data ? null : head.error),
    updatedAtMs: Math.max(head.dataUpdatedAt, pages.dataUpdatedAt),
    loadMore: () => {
      if (more) void fetchNextPage();
    },
    retry: () => void refetch(),
  };
}

function isUnread({ indexed, problem }: SessionSummary): boolean {
  return !indexed && problem === null;
}

/** The renewed first page, then the other sessions of the pages, each session once. */
function merge(head: SessionsResponse | undefined, pages: SessionsResponse[] | undefined): SessionSummary[] {
  const byId = new Map<string, SessionSummary>();
  for (const page of head ? [head, ...(pages ?? [])] : (pages ?? [])) {
    for (const session of page.sessions) if (!byId.has(session.id)) byId.set(session.id, session);
  }
  return [...byId.values()];
}

const RELIST_MS = 1_000;

/**
 * Keeps the lists of sessions and projects up to date, while the page is visible. `onNews`: something has happened, or,
 * with `null`, may have.
 */
export function useLiveLibrary(onNews?: (event: LiveEvent | null) => void): LiveStream {
  const client = useQueryClient();
  const [stream] = useState(() => {
    const relist = throttled(RELIST_MS, () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["sessions"] }),
        client.invalidateQueries({ queryKey: ["projects"] }),
        client.invalidateQueries({ queryKey: ["annotations"] }),
      ]),
    );
    const projects = throttled(RELIST_MS, () => client.invalidateQueries({ queryKey: ["projects"] }));
    const chosen = throttled(RELIST_MS, () =>
      client.invalidateQueries({ queryKey: ["sessions"], predicate: isChosenByServer }),
    );
    return new LiveStream({
      query: () => ({}),
      onGap: () => {
        relist();
        onNews?.(null);
      },
      onEvent: (event) => {
        if (event.kind === "hello") for (const state of event.states) takeState(client, state);
        else if (event.kind === "state") {
          takeState(client, event.state);
          projects();
          chosen();
        } else if (event.kind === "session-changed" && event.summary) {
          const { summary } = event;
          if (patchSessions(client, event.sessionId, () => summary)) chosen();
          else relist();
        } else if (event.kind === "sessions-changed") relist();
        // Hidden sessions are removed.
        else if (event.kind === "annotations-changed") relist();
        onNews?.(event);
      },
    });
  });
  useEffect(() => {
    stream.start();
    return () => stream.stop();
  }, [stream]);
  return stream;
}

/** Which sessions are in such a list, and in which order, may be others by what one of them does. */
function isChosenByServer({ queryKey: [, query] }: Query): boolean {
  const { q, sort } = query as Asked<typeof SessionsRequest>;
  return Boolean(q) || (sort !== "active" && sort !== "started");
}

function takeState(client: QueryClient, state: LiveState): void {
  setLiveState(state);
  const { sessionId, sinceMs } = state;
  patchSessions(client, sessionId, (summary) => ({ ...summary, state: state.state, sinceMs }));
}

type Lists = SessionsResponse | InfiniteData<SessionsResponse>;

/** A session as a list that this page has read holds it; `null` where none does. */
export function listedSession(client: QueryClient, id: SessionId): SessionSummary | null {
  for (const [, lists] of client.getQueriesData<Lists>({ queryKey: ["sessions"] })) {
    const pages = lists === undefined ? [] : "sessions" in lists ? [lists] : lists.pages;
    for (const { sessions } of pages) {
      const found = sessions.find((session) => session.id === id);
      if (found) return found;
    }
  }
  return null;
}

/** Changes one session in every list that holds it; false when none does. */
function patchSessions(
  client: QueryClient,
  id: SessionId,
  change: (summary: SessionSummary) => SessionSummary,
): boolean {
  let found = false;
  const patch = (page: SessionsResponse): SessionsResponse => {
    if (!page.sessions.some((session) => session.id === id)) return page;
    found = true;
    return {
      ...page,
      sessions: page.sessions.map((session) => (session.id === id ? change(session) : session)),
    };
  };
  client.setQueriesData<Lists>({ queryKey: ["sessions"] }, (lists) => {
    if (!lists) return lists;
    if ("sessions" in lists) return patch(lists);
    const pages = lists.pages.map(patch);
    return pages.every((page, at) => page === lists.pages[at]) ? lists : { ...lists, pages };
  });
  return found;
}

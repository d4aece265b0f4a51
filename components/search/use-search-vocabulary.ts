import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api } from "@/lib/client/api";
import { useIsGuest } from "@/lib/client/connection/token";
import { useProjects } from "@/lib/client/queries";
import { splitPath } from "@/lib/format/text";
import type { SessionId } from "@/lib/wire/ids";
import { isHidden, type SessionSummary } from "@/lib/wire/library";
import type { Vocabulary } from "./completion";

const MAX_VALUES = 300;

/** Values from this machine's sessions, for completing filters: the latest first. */
export function useSearchVocabulary(sessions: readonly SessionSummary[]): Vocabulary {
  const projects = useProjects().data;
  return useMemo(
    () => ({
      project: (projects ?? []).map(({ path }) => splitPath(path).name),
      branch: distinct(sessions.map(({ gitBranch }) => gitBranch)),
      model: distinct(sessions.flatMap(({ models }) => models)),
      tag: distinct(sessions.flatMap(({ marks }) => marks?.tags ?? [])),
    }),
    [projects, sessions],
  );
}

function distinct(values: readonly (string | null)[]): string[] {
  const found = new Set<string>();
  for (const value of values) {
    if (value) found.add(value);
    if (found.size >= MAX_VALUES) break;
  }
  return [...found];
}

const PAGE = 500;
const MAX_PAGES = 20;

/** Requests hidden sessions as well: they are found, too, and then have a name. */
const ALL = "is:hidden OR -is:hidden";

/**
 * Sessions by their id, for names beside hits, and those that are not hidden, for filtering during typing: the newest
 * 10,000. A guest has none.
 */
export function useSearchSessions(): {
  list: SessionSummary[];
  byId: ReadonlyMap<SessionId, SessionSummary>;
} {
  const isGuest = useIsGuest();
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ["search-sessions"],
    queryFn: ({ pageParam, signal }) => api.sessions({ q: ALL, limit: PAGE, cursor: pageParam }, { signal }),
    enabled: !isGuest,
    initialPageParam: null as string | null,
    getNextPageParam: (last, pages) => (pages.length < MAX_PAGES ? last.nextCursor : null),
    staleTime: 30_000,
  });
  const more = hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (more) void fetchNextPage();
  }, [more, fetchNextPage]);
  return useMemo(() => {
    const byId = new Map<SessionId, SessionSummary>();
    for (const page of data?.pages ?? []) for (const session of page.sessions) byId.set(session.id, session);
    return { list: [...byId.values()].filter((session) => !isHidden(session)), byId };
  }, [data]);
}

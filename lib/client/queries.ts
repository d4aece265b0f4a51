import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Project, ProjectsResponse } from "@/lib/wire/library";
import type { ExtraKind } from "@/lib/wire/session";
import { api } from "./api";
import { ApiError } from "./connection/api-error";
import { useIsGuest } from "./connection/token";
import { withLiveState } from "./live-states";
import { listPollMs, useHealth } from "./use-health";

/** All projects, starred ones first, then running ones, then by last activity. */
export function useProjects() {
  return useAnswer(({ projects }) => projects.toSorted(byActivity));
}

const NO_PROJECTS: readonly Project[] = [];

/** All projects as far as they are known, and each by its id. */
export function useProjectsById() {
  const { data: projects = NO_PROJECTS } = useProjects();
  const projectById = useMemo(() => new Map(projects.map((project) => [project.id, project])), [projects]);
  return { projects, projectById };
}

/** What all sessions hold together; null until every one has been read. */
export function useTotals() {
  return useAnswer(({ totals }) => totals);
}

function useAnswer<T>(select: (answer: ProjectsResponse) => T) {
  const health = useHealth();
  const isGuest = useIsGuest();
  return useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api.projects({ signal }),
    select,
    // Of what was shared there is one session, in no project.
    enabled: !isGuest,
    refetchInterval: ({ state }) => listPollMs(health.data, state.data?.totals !== null),
    refetchOnWindowFocus: true,
  });
}

function byActivity(left: Project, right: Project): number {
  const starred = Number(right.marks?.starred ?? false) - Number(left.marks?.starred ?? false);
  const running = Number(right.running > 0) - Number(left.running > 0);
  return starred || running || (right.lastActiveAtMs ?? 0) - (left.lastActiveAtMs ?? 0);
}

/**
 * A session's facts. Who only reads what the page has asked for is not `enabled`, but asks in the same way: a query is
 * renewed as whoever came last would ask, for all.
 */
export function sessionQuery(session: SessionId) {
  return queryOptions({
    queryKey: ["session", session],
    queryFn: ({ signal }) => withLiveState(session, () => api.session(session, { signal })),
  });
}

/** A session may have a thousand copies, and each of those that are told has been read. */
const MAX_RELATED = 50;

/** The sessions that share history with one, so many of them at a time; guests are told of none. */
export function useRelated(session: SessionId) {
  return useInfiniteQuery({
    queryKey: ["related", session],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.related(session, { limit: MAX_RELATED, cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ related }) => related),
    enabled: !useIsGuest(),
    staleTime: 60_000,
  });
}

/** What that is called, wherever it is listed. */
export const EXTRA_NAMES: Record<ExtraKind, string> = {
  plan: "Plan",
  todos: "To-do list",
  task: "Task",
  memory: "Memory",
  history: "Typed prompts",
  "file-history": "File backup",
};

/** What else the client keeps of a session. */
export function useExtras(session: SessionId) {
  return useQuery({
    queryKey: ["extras", session],
    queryFn: ({ signal }) => api.extras(session, { signal }),
  });
}

/** The text of one of these files, by its id. */
export function useExtraText(session: SessionId, id: string) {
  return useQuery({
    queryKey: ["extra", session, id],
    queryFn: ({ signal }) => api.extra(session, id, { signal }),
  });
}

/** What is known of a record. A log that was written anew may have it no more: what it had before is then not shown. */
export function knownOfRecord<Known>({ data, error }: { data: Known | undefined; error: Error | null }) {
  return error instanceof ApiError && error.status === 404 ? undefined : data;
}

/** A record of a session, with its JSON: for its row, the inspector and the context of it, which share one answer. */
export function useRecord(session: SessionId, recordId: RecordId) {
  const query = useQuery({
    queryKey: ["record", session, recordId],
    queryFn: ({ signal }) => api.record(session, recordId, { signal }),
    gcTime: 60_000,
    // Structural sharing would copy the record key by key and lose a key named `__proto__`.
    structuralSharing: false,
  });
  const { error, isFetching, refetch } = query;
  return { data: knownOfRecord(query), error, isFetching, refetch };
}

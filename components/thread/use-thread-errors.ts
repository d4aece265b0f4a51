import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type ThreadQuery } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import type { ErrorsResponse } from "@/lib/wire/session";
import type { OpenThread } from "./open-thread";
import { useLiveRefetch } from "./use-live-refetch";

/** A number, not a row: it may come after what it counts. */
const PAUSE_MS = 1_000;

/** Where the errors of the thread on screen are, renewed as its rows change; `null` until that is known. */
export function useThreadErrors(sessionId: SessionId, thread: OpenThread | null): ErrorsResponse | null {
  const { data, refetch } = useQuery({
    queryKey: ["thread-errors", sessionId, thread?.choice.key],
    queryFn: ({ signal }) => api.errors(sessionId, threadQuery(thread), { signal }),
    enabled: thread !== null,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  useLiveRefetch(thread?.windows ?? null, refetch, true, PAUSE_MS);
  return data ?? null;
}

/** What names the thread on screen to the server: its branch as it was called when it was opened. */
export function threadQuery(thread: OpenThread | null): ThreadQuery {
  const { agent, detail, fold, runs } = thread?.choice ?? {};
  return { branch: thread?.branch, agent, detail, fold, runs };
}

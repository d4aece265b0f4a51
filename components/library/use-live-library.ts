import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { setLiveState } from "@/lib/client/live-states";
import { LiveStream } from "@/lib/client/live-stream";
import { throttled } from "@/lib/client/live-throttle";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary, SessionsResponse } from "@/lib/wire/library";
import type { LiveEvent, LiveState } from "@/lib/wire/live";

const RELIST_MS = 1_000;

/**
 * Keeps the lists of sessions and projects as they are on disk, while the page is looked at. `onNews`: something
 * has happened, or, with `null`, may have.
 */
export function useLiveLibrary(onNews?: (event: LiveEvent | null) => void): LiveStream {
  const client = useQueryClient();
  const [stream] = useState(() => {
    const relist = throttled(RELIST_MS, () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["sessions"] }),
        client.invalidateQueries({ queryKey: ["projects"] }),
      ]),
    );
    const projects = throttled(RELIST_MS, () => client.invalidateQueries({ queryKey: ["projects"] }));
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
        } else if (event.kind === "session-changed" && event.summary) {
          const { summary } = event;
          if (!patchSessions(client, event.sessionId, () => summary)) relist();
        } else if (event.kind === "sessions-changed") relist();
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

function takeState(client: QueryClient, state: LiveState): void {
  setLiveState(state);
  const { sessionId, sinceMs } = state;
  patchSessions(client, sessionId, (summary) => ({ ...summary, state: state.state, sinceMs }));
}

type Lists = SessionsResponse | InfiniteData<SessionsResponse>;

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

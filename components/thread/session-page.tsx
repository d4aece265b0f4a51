"use client";

import { useQuery } from "@tanstack/react-query";
import { useTabSign } from "@/components/live/use-tab-sign";
import { api } from "@/lib/client/api";
import { useLiveState } from "@/lib/client/live-states";
import type { SessionId } from "@/lib/wire/ids";
import { SessionView } from "./session-view";

/** One session: asks for its facts, and shows the thread as soon as its first rows are there. */
export function SessionPage({ sessionId }: { sessionId: SessionId }) {
  const session = useQuery({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) => api.session(sessionId, { signal }),
  });
  const title = session.data?.title;
  const live = useLiveState(sessionId);
  useTabSign(title ?? null, live);
  return <SessionView key={sessionId} sessionId={sessionId} session={session.data ?? null} />;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNotifications } from "@/components/live/notify";
import { useTabSign } from "@/components/live/use-tab-sign";
import { api } from "@/lib/client/api";
import { withLiveState } from "@/lib/client/live-states";
import type { SessionId } from "@/lib/wire/ids";
import { SessionView } from "./session-view";

/** One session: asks for its facts, and shows the thread as soon as its first rows are there. */
export function SessionPage({ sessionId }: { sessionId: SessionId }) {
  const session = useQuery({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) => withLiveState(sessionId, () => api.session(sessionId, { signal })),
  });
  // Its state, not the stream's: a tab in the background has no stream, and asks for the session instead.
  useTabSign(session.data?.title ?? null, session.data?.state ?? null);
  const standings = useMemo(() => (session.data ? [session.data] : undefined), [session.data]);
  useNotifications(standings);
  return <SessionView key={sessionId} sessionId={sessionId} session={session.data ?? null} />;
}

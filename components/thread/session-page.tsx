"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import { SessionView } from "./session-view";

/** One session: asks for its facts, and shows the thread as soon as its first rows are there. */
export function SessionPage({ sessionId }: { sessionId: SessionId }) {
  const session = useQuery({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) => api.session(sessionId, { signal }),
  });
  const title = session.data?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Backscroll`;
  }, [title]);
  return <SessionView key={sessionId} sessionId={sessionId} session={session.data ?? null} />;
}

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type UnseenTime, useAgentUnseen, useUnseen } from "@/components/live/live-seen";
import { LiveViews, type ShownThread } from "@/components/thread/live-views";
import { useThreadState, useWrittenRows } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { LiveStream } from "@/lib/client/connection/live-stream";
import { usePreferences } from "@/lib/client/preferences";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress } from "@/lib/wire/library";
import type { SessionContextValue } from "../session-store";
import { type LiveSessionHandlers, SessionFollower } from "./session-follower";

/**
 * Keeps the page's thread as the session is on disk. Whoever reads on in a branch that the session leaves stays on
 * it and is told; whoever is at its end goes along.
 * `unseen`: rows of this time are new to the reader; `null` before that is known.
 */
export function useFollowedSession({
  sessionId,
  session,
  choice,
  url,
  setUrl,
  store: { thread, following },
}: SessionContextValue): Pick<ReturnType<typeof useLiveSession>, "stream" | "views"> & {
  unseen: UnseenTime | null;
} {
  const shown = useThreadState(thread, (state) => state.thread);
  const { stream, views } = useLiveSession(sessionId, choice, shown, {
    following,
    // Opened before its first line was written, or while nobody answered, be it in place of what is still on screen.
    onHello: () => {
      if (thread.get().error) thread.retry();
    },
    onBranch: (from) => {
      if (url.branch !== null || thread.get().position.atEnd) return false;
      // The branch that is read gets a name: nothing has been opened.
      setUrl({ branch: from }, "replace");
      toast("The session went on from an earlier prompt. You stay on the branch you read");
      return true;
    },
  });
  const unseen = useUnseen(sessionId, session && (session.lastActiveAtMs ?? 0));
  const agentUnseen = useAgentUnseen(
    sessionId,
    choice.agent,
    null,
    // Until the agent's thread is there, the one before stays on screen.
    useWrittenRows(shown?.choice.agent === choice.agent ? shown.windows : null),
  );
  return { stream, views, unseen: choice.agent === null ? unseen : agentUnseen };
}

/**
 * Takes a reader who prefers it to the end of a running session, once, when it has opened; a link that says where
 * to begin wins, and so does the place that he comes back to. From the end the list follows what comes.
 */
export function useFollowPreference({ session, url, store: { thread } }: SessionContextValue): void {
  const { follow } = usePreferences();
  const isOpen = useThreadState(thread, (state) => state.thread !== null);
  const decided = useRef(false);
  const asked = url.at !== null || url.follow !== null;
  useEffect(() => {
    if (decided.current || !session || !isOpen) return;
    decided.current = true;
    if (!follow || asked || thread.wasRestored() || !isInProgress(session)) return;
    void thread.toEnd();
  }, [session, isOpen, follow, asked, thread]);
}

/**
 * Keeps an open thread, and those of the agents beside it, as their logs are written. Rows that come in the
 * event are in the thread at once; what else has changed is asked for again.
 */
export function useLiveSession(
  sessionId: SessionId,
  choice: ThreadChoice,
  shown: ShownThread | null,
  handlers: LiveSessionHandlers,
): { stream: LiveStream; views: LiveViews } {
  const client = useQueryClient();
  const newest = useRef({ choice, shown, handlers });
  newest.current = { choice, shown, handlers };
  const [{ stream, follow, views }] = useState(() => {
    const views = new LiveViews();
    const follow = new SessionFollower(sessionId, client, views, () => newest.current);
    const stream = new LiveStream({
      query: () => follow.query(),
      onGap: () => follow.gap(),
      onEvent: (event) => follow.take(event),
      // Who presents is followed, also while looking at something else.
      holds: () => newest.current.handlers.following.get().role === "presents",
    });
    views.onChange = () => stream.reopen();
    return { stream, follow, views };
  });
  useEffect(() => {
    stream.start();
    return () => stream.stop();
  }, [stream]);
  const opened = useRef(choice.key);
  useEffect(() => {
    if (opened.current !== choice.key) stream.reopen();
    opened.current = choice.key;
  }, [stream, choice.key]);
  // What was written between the first rows and the stream, or while another thread was shown.
  useEffect(() => follow.catchUp(), [follow, shown]);
  return { stream, views };
}

import { useSeenBefore } from "@/components/live/live-seen";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadState } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import { useLiveState } from "@/lib/client/live-states";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { useLiveSession } from "./use-live-session";

/**
 * Keeps the page's thread as the session is on disk. Whoever reads on in a branch that the session leaves stays on
 * it and is told; whoever is at its end goes along.
 * `seenMs`: rows after this time are new to the reader; `null` before that is known.
 */
export function useFollowedSession(
  sessionId: SessionId,
  session: SessionDetail | null,
  choice: ThreadChoice,
  state: ThreadState,
  { url, setUrl, position }: FollowedPage,
): Pick<ReturnType<typeof useLiveSession>, "stream" | "views"> & { seenMs: number | null } {
  const { stream, views } = useLiveSession(sessionId, choice, state.thread, {
    // Opened before its first line was written, or while nobody answered.
    onHello: () => {
      if (state.error && !state.thread) state.retry();
    },
    onBranch: (from) => {
      if (url.branch !== null || position.get().atEnd) return false;
      setUrl({ branch: from });
      toast("The session went on from an earlier prompt. You stay on the branch you read");
      return true;
    },
  });
  const lastLineMs = useLiveState(sessionId)?.lastLineAtMs ?? 0;
  const seenMs = useSeenBefore(sessionId, session && Math.max(session.lastActiveAtMs ?? 0, lastLineMs));
  return { stream, views, seenMs };
}

type FollowedPage = {
  url: ThreadUrl;
  setUrl: (change: Partial<ThreadUrl>) => void;
  position: PositionStore;
};

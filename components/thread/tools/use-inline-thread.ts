import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { useLiveView } from "@/components/thread/live-views";
import { usePreferences } from "@/lib/client/preferences";
import { threadChoice, useThreadUrl } from "@/lib/client/thread-url";
import type { AgentId } from "@/lib/wire/ids";
import { type OpenThread, openThread } from "../open-thread";

/** So many rows at first, and with each wish for more. */
export const STEP_ROWS = 50;

/** A thread inside a row: which of its rows are shown (`to`: null for all that come), and which are open. */
export type InlineThread = { thread: OpenThread; from: number; to: number | null; open: ReadonlySet<string> };

/**
 * An agent's thread inside its call, live as one beside the page's own. A call that is scrolled away leaves the
 * page; what was opened in it is kept, so that it is there when the call comes back.
 */
export function useInlineThread(agentId: AgentId, isRunning: boolean) {
  const client = useQueryClient();
  const { sessionId } = useThreadActions();
  const choice = useInlineChoice(agentId);
  const queryKey = ["agent-thread", sessionId, choice.key];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<InlineThread> => {
      // Of an agent that runs the end is shown, which is where it goes on.
      const opening = { place: null, toEnd: isRunning };
      const { thread } = await openThread(sessionId, choice, opening, signal, { onScan: () => undefined });
      const { total } = thread.windows.getSnapshot();
      const rest = isRunning || total <= STEP_ROWS;
      const from = isRunning ? Math.max(0, total - STEP_ROWS) : 0;
      return { thread, from, to: rest ? null : STEP_ROWS, open: new Set() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const thread = query.data?.thread ?? null;
  useLiveView(thread);
  const kept = useRef(thread);
  useEffect(() => kept.current?.windows.restart(), []);
  const change = (next: (old: InlineThread) => Partial<InlineThread>) =>
    client.setQueryData<InlineThread>(queryKey, (old) => old && { ...old, ...next(old) });
  return { query, change };
}

/** Whether the agent's thread has been opened in its call a moment ago, and a way to forget it. */
export function useKeptInlineThread(agentId: AgentId | null): { isKept: boolean; forget: () => void } {
  const client = useQueryClient();
  const { sessionId } = useThreadActions();
  const { key } = useInlineChoice(agentId);
  const queryKey = ["agent-thread", sessionId, key];
  return {
    isKept: client.getQueryData(queryKey) !== undefined,
    forget: () => client.removeQueries({ queryKey }),
  };
}

/** As much of it as of the page's thread, which the stream carries with the same detail. */
function useInlineChoice(agent: AgentId | null) {
  const [{ detail }] = useThreadUrl();
  const { detail: preferred } = usePreferences();
  return threadChoice({ branch: null, agent, detail, fold: null }, preferred, false);
}

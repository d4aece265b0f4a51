import { Maximize2, X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { type ThreadActions, ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { agentFacts, nameOfAgent, useAgents } from "@/components/session/use-agents";
import { NewRowsPill, ThreadView } from "@/components/thread/list/thread-view";
import { useLiveView } from "@/components/thread/live-views";
import { threadKey } from "@/components/thread/open-thread";
import type { ThreadAddress } from "@/components/thread/store/thread-core";
import type { ThreadStore } from "@/components/thread/thread-store";
import {
  ThreadStoreContext,
  useCreatedThread,
  useShownThread,
  useThreadState,
} from "@/components/thread/use-thread";
import { IconButton } from "@/components/ui/button";
import { LaneShape, RunningRing } from "@/components/ui/marks";
import { ErrorState, SkeletonRows } from "@/components/ui/states";
import { usePreferences } from "@/lib/client/preferences";
import { threadChoice } from "@/lib/client/session-url";
import type { AgentId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";

/** An agent's thread beside the one that started it. Its own agents open further panes. */
export function AgentPane({
  agentId,
  detail,
  onClose,
}: {
  agentId: AgentId;
  detail: Detail;
  onClose: () => void;
}) {
  const { sessionId, showAgent } = useThreadActions();
  const { data, isPending } = useAgents(sessionId);
  const agent = data?.agents.find((one) => one.agentId === agentId) ?? null;
  const isRunning = agent?.state === "running";
  const lane = agent?.lane ?? 0;
  const name = agent ? nameOfAgent(agent) : "agent";
  return (
    <PaneFrame
      label={`Agent ${name}`}
      onClose={onClose}
      head={
        <>
          <LaneShape lane={lane} />
          <span className="truncate font-semibold">
            <VisibleText text={name} />
          </span>
          <span className="min-w-0 flex-[0_1000_auto] truncate text-fg-3 tabular-nums">
            {agent && agentFacts(agent).join(" · ")}
          </span>
          {isRunning && (
            <span className="flex flex-none text-run">
              <RunningRing label="running" />
            </span>
          )}
        </>
      }
      actions={
        <IconButton icon={Maximize2} small label="Open full page" onClick={() => showAgent(agentId)} />
      }
    >
      {/* Only now is it known whether the agent runs: then its thread opens at its end. */}
      {isPending ? (
        <SkeletonRows count={6} label="Loading the agent" />
      ) : (
        <PaneThread agentId={agentId} name={name} lane={lane} isRunning={isRunning} detail={detail} />
      )}
    </PaneFrame>
  );
}

/** An agent's rows in a pane, live as the page's own. */
function PaneThread({
  agentId,
  name,
  lane,
  isRunning,
  detail,
}: {
  agentId: AgentId;
  name: string;
  lane: number;
  isRunning: boolean;
  detail: Detail;
}) {
  const { sessionId } = useThreadActions();
  const [address, setAddress] = useState<ThreadAddress>({ branch: null, runs: null, fold: null });
  const { foldRuns } = usePreferences();
  const choice = useMemo(
    () => threadChoice({ ...address, agent: agentId, detail }, detail, foldRuns),
    [address, agentId, detail, foldRuns],
  );
  const store = useCreatedThread({
    sessionId,
    choice,
    address: {
      get: () => address,
      set: (change) => setAddress((old) => ({ ...old, ...change })),
    },
  });
  // Who opens an agent that runs wants to see what it does.
  useShownThread(store, choice, { toEnd: isRunning });
  const thread = useThreadState(store, (state) => state.thread);
  const error = useThreadState(store, (state) => state.error);
  useLiveView(thread);
  const actions = usePaneActions(store, lane);
  if (!thread && error)
    return <ErrorState title="Couldn’t load this agent" message={error.message} onRetry={store.retry} />;
  if (!thread) return <SkeletonRows count={6} label="Loading the agent" />;
  return (
    <ThreadStoreContext value={store}>
      <ThreadContext.Provider value={actions}>
        <div className="relative min-h-0 bg-bg [--rail:44px] [--spine-x:18px]">
          <ThreadView
            key={threadKey(thread)}
            label={`Thread of ${name}`}
            thread={thread}
            follows={isRunning}
            seenMs={null}
          />
          <NewRowsPill />
        </div>
      </ThreadContext.Provider>
    </ThreadStoreContext>
  );
}

/** What rows in a pane may ask for: as on the page, but for what is the pane's own. */
function usePaneActions(store: ThreadStore, lane: number): ThreadActions {
  const outer = useThreadActions();
  return useMemo(
    () => ({
      ...outer,
      lane,
      toggleOpen: store.toggleOpen,
      toggleFold: () => undefined,
      toggleRun: store.toggleRun,
      toRow: (row) => void store.goTo({ row, align: "center" }),
      switchBranch: store.switchBranch,
    }),
    [outer, lane, store],
  );
}

/** A pane's head and body: a part of a column, or the whole screen where that is narrow. */
export function PaneFrame({
  label,
  head,
  actions,
  onClose,
  children,
}: {
  label: string;
  head: ReactNode;
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className="relative grid min-h-0 min-w-0 flex-1 grid-rows-[32px_minmax(0,1fr)] bg-panel max-md:fixed max-md:inset-x-0 max-md:top-(--bar) max-md:bottom-0 max-md:z-20"
    >
      <header className="flex min-w-0 items-center gap-2 border-b border-line px-3 text-12 whitespace-nowrap">
        {head}
        <span className="ml-auto flex flex-none items-center">
          {actions}
          <IconButton icon={X} small label={`Close ${label}`} onClick={onClose} />
        </span>
      </header>
      {children}
    </section>
  );
}

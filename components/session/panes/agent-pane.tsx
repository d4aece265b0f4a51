import { Maximize2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import {
  agentActions,
  type ThreadActions,
  ThreadContext,
  useThreadActions,
} from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { useAgentUnseen } from "@/components/live/live-seen";
import { useSessionPage } from "@/components/session/session-store";
import { agentFigures, nameOfAgent, useAgents } from "@/components/session/use-agents";
import { useAskedAgain } from "@/components/thread/asked-again";
import { RowsFaultBar, useRowsFault } from "@/components/thread/list/rows-fault";
import { NewRowsPill, ThreadView } from "@/components/thread/list/thread-view";
import { useLiveView } from "@/components/thread/live-views";
import { type OpenThread, threadKey } from "@/components/thread/open-thread";
import type { ThreadAddress } from "@/components/thread/store/thread-core";
import type { ThreadStore } from "@/components/thread/thread-store";
import { useKeepPane, useKeptPane } from "@/components/thread/use-reading-place";
import {
  ThreadStoreContext,
  useCreatedThread,
  useShownThread,
  useThreadState,
  useWrittenRows,
} from "@/components/thread/use-thread";
import { IconButton } from "@/components/ui/button";
import { LaneShape, RunningRing } from "@/components/ui/marks";
import { FailedState, ThreadSkeleton } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import {
  MAX_OPEN_RUNS_IN_PANE,
  openedBy,
  type ThreadUrl,
  threadChoice,
  withRuns,
} from "@/lib/client/address/session-url";
import { usePreferences } from "@/lib/client/preferences";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { PaneFrame } from "./pane-frame";

/** What a link says of an agent's pane, as an address does of the page's own thread. */
export type LinkedPane = Pick<ThreadUrl, "at" | "y" | "open">;

/** An agent's thread beside the one that started it. Its own agents open further panes. */
export function AgentPane({
  agentId,
  detail,
  linked,
  onClose,
}: {
  agentId: AgentId;
  detail: Detail;
  linked: LinkedPane;
  onClose: () => void;
}) {
  const { sessionId, showAgent } = useThreadActions();
  const { atHand } = useSessionPage().store;
  const { data, isPending } = useAgents(sessionId);
  const agent = data?.agents.find((one) => one.agentId === agentId) ?? null;
  const isRunning = agent?.state === "running";
  const lane = agent?.lane ?? 0;
  const name = agent ? nameOfAgent(agent) : "agent";
  return (
    <PaneFrame
      label={`Agent ${name}`}
      onClose={onClose}
      onFocus={() => atHand.take(agentId)}
      head={
        <>
          <LaneShape lane={lane} />
          <span className="truncate font-semibold">
            <VisibleText text={name} />
          </span>
          <span className="min-w-0 flex-[0_1000_auto] truncate text-fg-3 tabular-nums">
            {agent && agentFigures(agent).join(" · ")}
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
        <ThreadSkeleton count={6} label="Loading the agent" />
      ) : (
        <PaneThread
          agentId={agentId}
          name={name}
          lane={lane}
          isListed={agent !== null}
          isRunning={isRunning}
          wroteAtMs={agent?.endedAtMs ?? null}
          detail={detail}
          linked={linked}
        />
      )}
    </PaneFrame>
  );
}

const NOT_READ: ThreadAddress = { branch: null, runs: null, fold: null };

/** An agent's rows in a pane, live as the page's own. */
function PaneThread({
  agentId,
  name,
  lane,
  isListed,
  isRunning,
  wroteAtMs,
  detail,
  linked,
}: {
  agentId: AgentId;
  name: string;
  lane: number;
  isListed: boolean;
  isRunning: boolean;
  /** When it wrote its last line, as far as that is known. */
  wroteAtMs: number | null;
  detail: Detail;
  linked: LinkedPane;
}) {
  const { sessionId } = useThreadActions();
  const store = useAgentThread(sessionId, { agentId, isRunning, detail, linked });
  const thread = useThreadState(store, (state) => state.thread);
  const error = useThreadState(store, (state) => state.error);
  useLiveView(thread);
  const unseen = useAgentUnseen(sessionId, agentId, wroteAtMs, useWrittenRows(thread?.windows ?? null));
  useAskedAgain(store, isListed);
  const actions = usePaneActions(store, agentId, lane);
  if (!thread && error)
    return <FailedState title="Couldn’t load this agent" error={error} onRetry={store.retry} />;
  if (!thread) return <ThreadSkeleton count={6} label="Loading the agent" />;
  return (
    <ThreadStoreContext value={store}>
      <ThreadContext.Provider value={actions}>
        <div className="relative grid min-h-0 grid-rows-[auto_minmax(0,1fr)] bg-bg [--rail:44px] [--spine-x:18px]">
          <div>
            <PaneFault thread={thread} />
          </div>
          <ThreadView
            key={threadKey(thread)}
            label={labelHidden(`Thread of ${name}`)}
            thread={thread}
            follows={isRunning}
            unseen={unseen}
          />
          <NewRowsPill />
        </div>
      </ThreadContext.Provider>
    </ThreadStoreContext>
  );
}

/** An agent's thread, which is read at an address of the pane's own: as it was left, or where a link leads. */
function useAgentThread(
  sessionId: SessionId,
  {
    agentId,
    isRunning,
    detail,
    linked,
  }: Pick<Parameters<typeof PaneThread>[0], "agentId" | "isRunning" | "detail" | "linked">,
): ThreadStore {
  const kept = useKeptPane(sessionId, agentId, isRunning);
  const [address, setAddress] = useState<ThreadAddress>(kept.address ?? NOT_READ);
  // The link counts when the pane opens, and not when another one comes to the address.
  const [link, setLink] = useState(linked);
  const { foldRuns } = usePreferences();
  const choice = useMemo(
    () => threadChoice({ ...address, agent: agentId, detail }, detail, foldRuns, MAX_OPEN_RUNS_IN_PANE),
    [address, agentId, detail, foldRuns],
  );
  const store = useCreatedThread({
    sessionId,
    choice,
    address: {
      get: () => address,
      set: (change) => setAddress((old) => ({ ...old, ...change })),
    },
    open: openedBy(linked),
    onElsewhere: (where, recordId) => {
      if ("run" in where) {
        if (recordId !== null) goThere(recordId);
        return setAddress((old) => ({ ...old, runs: withRuns(old.runs, [where.run]) }));
      }
      if ("branch" in where) {
        if (recordId !== null) goThere(recordId);
        return setAddress((old) => ({ ...old, branch: where.branch, fold: null }));
      }
      toast("That record is not in this agent’s thread", "err");
      if (recordId !== null) return;
      // What the link names is of another thread: this one opens without it.
      setLink({ ...link, at: null });
      store.retry();
    },
  });
  const goThere = (recordId: RecordId) => {
    store.release();
    setLink({ ...link, at: recordId, y: null });
  };
  // Who opens an agent that runs wants to see what it does.
  useShownThread(store, choice, { ...link, toEnd: isRunning, restored: kept.restored });
  useKeepPane(agentId, store, address);
  const { atHand } = useSessionPage().store;
  useEffect(() => atHand.add(agentId, store), [atHand, agentId, store]);
  return store;
}

function PaneFault({ thread }: { thread: OpenThread }) {
  const fault = useRowsFault(thread);
  return fault && <RowsFaultBar fault={fault} />;
}

/** What rows in a pane may ask for: as on the page, but for what is the pane's own. */
function usePaneActions(store: ThreadStore, agentId: AgentId, lane: number): ThreadActions {
  const outer = useThreadActions();
  const { store: page } = useSessionPage();
  return useMemo(
    () =>
      agentActions(outer, store, {
        lane,
        toggleRun: store.toggleRun,
        toRow: (row) => void store.goTo({ row, align: "center" }),
        switchBranch: store.switchBranch,
        // A file has no address to link to.
        ...(outer.copyLink && page.linksBeside(agentId, store)),
      }),
    [outer, page, agentId, lane, store],
  );
}

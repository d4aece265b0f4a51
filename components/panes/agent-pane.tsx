import { useQuery } from "@tanstack/react-query";
import { Maximize2 } from "lucide-react";
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { VisibleText } from "@/components/thread/text/visible-text";
import { type ThreadActions, ThreadContext, useThreadActions } from "@/components/thread/thread-context";
import { type ThreadHandle, ThreadView } from "@/components/thread/thread-view";
import { useThread } from "@/components/thread/use-thread";
import { ErrorState } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { api } from "@/lib/client/api";
import { usePreferences } from "@/lib/client/preferences";
import { PositionStore } from "@/lib/client/thread-position";
import { threadChoice, toggledRun } from "@/lib/client/thread-url";
import { formatCompact } from "@/lib/text/format-count";
import { formatDuration } from "@/lib/text/format-duration";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { PaneFrame } from "./pane-frame";

/** An agent's thread beside the one that started it. Its own agents open further panes. */
export function AgentPane({
  agentId,
  detail,
  revision,
  onClose,
}: {
  agentId: AgentId;
  detail: Detail;
  /** The session's: when it grows, the agent may have gone on. */
  revision: number | null;
  onClose: () => void;
}) {
  const { sessionId, showAgent } = useThreadActions();
  const { data } = useQuery({
    queryKey: ["agents", sessionId],
    queryFn: ({ signal }) => api.agents(sessionId, { limit: 200 }, { signal }),
  });
  const agent = data?.agents.find((one) => one.agentId === agentId) ?? null;
  const [branch, setBranch] = useState<BranchId | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [runs, setRuns] = useState<string | null>(null);
  const { foldRuns } = usePreferences();
  const choice = useMemo(
    () => threadChoice({ branch, agent: agentId, detail, fold: null, runs }, detail, foldRuns),
    [branch, agentId, detail, runs, foldRuns],
  );
  const handle = useRef<ThreadHandle>(null);
  const [position] = useState(() => new PositionStore());
  const { thread, error, retry } = useThread(sessionId, choice, null, () => handle.current?.anchor() ?? null);
  useEffect(() => {
    if (revision !== null && thread && thread.windows.getSnapshot().revision < revision)
      thread.windows.renew();
  }, [revision, thread]);

  const lane = agent?.lane ?? 0;
  const actions = usePaneActions(lane, handle, setOpen, setBranch, setRuns);
  const name = agent?.description ?? agent?.type ?? "agent";
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
            {[
              agent?.description ? agent.type : null,
              agent ? formatCompact(agent.tokens) : null,
              agent && agent.durationMs !== null && agent.state !== "running"
                ? formatDuration(agent.durationMs)
                : null,
              agent?.state === "failed" || agent?.state === "interrupted" ? agent.state : null,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {agent?.state === "running" && (
            <span className="text-run">
              <RunningRing label="running" />
            </span>
          )}
        </>
      }
      actions={
        <IconButton icon={Maximize2} small label="Read this agent alone" onClick={() => showAgent(agentId)} />
      }
    >
      {!thread && error ? (
        <ErrorState title="This agent can't be shown" message={error.message} onRetry={retry} />
      ) : !thread ? (
        <SkeletonRows count={6} label="Loading the agent" />
      ) : (
        <ThreadContext.Provider value={actions}>
          <div className="min-h-0 bg-bg [--rail:44px] [--spine-x:18px]">
            <ThreadView
              key={`${thread.choice.key}|${thread.start.index}`}
              ref={handle}
              label={`Thread of ${name}`}
              thread={thread}
              open={open}
              position={position}
              follows={agent?.state === "running"}
              seenMs={null}
            />
          </div>
        </ThreadContext.Provider>
      )}
    </PaneFrame>
  );
}

type SetOpen = Dispatch<SetStateAction<ReadonlySet<string>>>;

/** What rows in a pane may ask for: as on the page, but for what is the pane's own. */
function usePaneActions(
  lane: number,
  handle: RefObject<ThreadHandle | null>,
  setOpen: SetOpen,
  setBranch: (branch: BranchId) => void,
  setRuns: Dispatch<SetStateAction<string | null>>,
): ThreadActions {
  const outer = useThreadActions();
  return useMemo(
    () => ({
      ...outer,
      lane,
      toggleOpen: (key) =>
        setOpen((old) => {
          const next = new Set(old);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      toggleFold: () => undefined,
      toggleRun: (run) => {
        handle.current?.holdRun(`${run}.run`);
        setRuns((open) => toggledRun(open, run));
      },
      toRow: (index) => void handle.current?.goTo(index, "center"),
      switchBranch: (id, fork) => {
        if (fork) handle.current?.holdFork(fork.key);
        setBranch(id);
      },
    }),
    [outer, lane, handle, setOpen, setBranch, setRuns],
  );
}

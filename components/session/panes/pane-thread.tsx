import { type Dispatch, type RefObject, type SetStateAction, useMemo, useRef, useState } from "react";
import { type ThreadActions, ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { NewRowsPill } from "@/components/thread/list/new-rows-pill";
import { ThreadView } from "@/components/thread/list/thread-view";
import { useLiveView } from "@/components/thread/live-views";
import { PositionStore } from "@/components/thread/thread-position";
import { useThread } from "@/components/thread/use-thread";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { usePreferences } from "@/lib/client/preferences";
import { threadChoice, toggledRun } from "@/lib/client/thread-url";
import { toggled } from "@/lib/client/toggled";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";

/** An agent's rows in a pane, live as the page's own. */
export function PaneThread({
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
  const anchor = () => handle.current?.anchor() ?? null;
  // Who opens an agent that runs wants to see what it does.
  const { thread, error, retry } = useThread(sessionId, choice, null, anchor, isRunning);
  useLiveView(thread);
  const actions = usePaneActions(lane, handle, setOpen, setBranch, setRuns);
  if (!thread && error)
    return <ErrorState title="This agent can’t be shown" message={error.message} onRetry={retry} />;
  if (!thread) return <SkeletonRows count={6} label="Loading the agent" />;
  return (
    <ThreadContext.Provider value={actions}>
      <div className="relative min-h-0 bg-bg [--rail:44px] [--spine-x:18px]">
        <ThreadView
          key={`${thread.choice.key}|${thread.start.index}`}
          ref={handle}
          label={`Thread of ${name}`}
          thread={thread}
          open={open}
          position={position}
          follows={isRunning}
          seenMs={null}
        />
        <NewRowsPill position={position} onEnd={() => handle.current?.toEnd()} />
      </div>
    </ThreadContext.Provider>
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
      toggleOpen: (key) => setOpen((old) => toggled(old, key)),
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

import { useThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import { useThreadWindows } from "@/components/thread/use-thread-windows";
import { Button } from "@/components/ui/button";
import { StateBar } from "@/components/ui/state-bar";
import { formatCount } from "@/lib/format/format-count";
import type { SessionDetail } from "@/lib/wire/session";

/** A line over the thread when rows cannot be loaded. What is there stays. */
export function ThreadNotices({
  thread,
  session,
  error,
  retry,
}: {
  thread: OpenThread;
  session: SessionDetail | null;
  error: Error | null;
  retry: () => void;
}) {
  const { error: pageError } = useThreadWindows(thread.windows);
  const shown = error ?? pageError;
  const { agent } = thread.choice;
  if (!shown && agent) return <AgentNotice logGone={session?.logGone === true} />;
  if (!shown && session?.logGone) return <LogGoneNotice agents={session.agentCount ?? 0} />;
  if (!shown) return null;
  const again = () => (error ? retry() : thread.windows.retry());
  return (
    <StateBar
      tone="stale"
      action={
        <Button kind="quiet" onClick={again}>
          Try again
        </Button>
      }
    >
      Rows could not be loaded: {shown.message}
    </StateBar>
  );
}

/** Over an agent's thread that is shown alone: whose it is not, and the way back. */
function AgentNotice({ logGone }: { logGone: boolean }) {
  const { showAgent } = useThreadActions();
  return (
    <StateBar
      tone="notice"
      action={
        <Button kind="quiet" onClick={() => showAgent(null)}>
          {logGone ? "First agent" : "Main thread"}
        </Button>
      }
    >
      An agent’s own thread{logGone && ". The session’s own log is gone"}
    </StateBar>
  );
}

/** Over the thread of a session of which only agents' logs are left: what is shown instead of its own. */
function LogGoneNotice({ agents }: { agents: number }) {
  return (
    <StateBar tone="stale">
      This session’s own log is gone.{" "}
      {agents > 1
        ? `The logs of ${formatCount(agents)} agents are left: this is the first, the outline lists all`
        : "This is the agent whose log is left"}
    </StateBar>
  );
}

import { Button } from "@/components/ui/button";
import { StateBar } from "@/components/ui/state-bar";
import { useThreadWindows } from "@/lib/client/use-thread-windows";
import type { OpenThread } from "./open-thread";
import { useThreadActions } from "./thread-context";

/** A line over the thread when rows cannot be loaded. What is there stays. */
export function ThreadNotices({
  thread,
  error,
  retry,
}: {
  thread: OpenThread;
  error: Error | null;
  retry: () => void;
}) {
  const { error: pageError } = useThreadWindows(thread.windows);
  const shown = error ?? pageError;
  const { agent } = thread.choice;
  if (!shown && agent) return <AgentNotice />;
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
function AgentNotice() {
  const { showAgent } = useThreadActions();
  return (
    <StateBar
      tone="notice"
      action={
        <Button kind="quiet" onClick={() => showAgent(null)}>
          Main thread
        </Button>
      }
    >
      An agent’s own thread
    </StateBar>
  );
}

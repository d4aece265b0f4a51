import { Button } from "@/components/ui/button";
import { StateBar } from "@/components/ui/state-bar";
import { useThreadWindows } from "@/lib/client/thread-use-windows";
import type { OpenThread } from "./use-thread";

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
  if (!shown) return <div />;
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

import type { OpenThread } from "@/components/thread/open-thread";
import { useThreadWindows } from "@/components/thread/thread-windows";
import { useThreadState, useThreadStore } from "@/components/thread/use-thread";
import { Button } from "@/components/ui/button";
import { StateBar } from "@/components/ui/states";

/** Why rows of a thread cannot be loaded, or why it cannot be shown as its reader wants it. */
type RowsFault = { message: string; retry: () => void };

/** What could not be loaded last, of the surrounding thread or its rows; `null` if nothing failed. */
export function useRowsFault({ windows }: OpenThread): RowsFault | null {
  const store = useThreadStore();
  const threadError = useThreadState(store, (state) => state.error);
  const { error: rowsError } = useThreadWindows(windows);
  if (threadError) return { message: threadError.message, retry: store.retry };
  return rowsError && { message: rowsError.message, retry: () => windows.retry() };
}

/** A line over a thread. What is there stays. */
export function RowsFaultBar({ fault }: { fault: RowsFault }) {
  return (
    <StateBar
      tone="stale"
      action={
        <Button kind="quiet" onClick={fault.retry}>
          Try again
        </Button>
      }
    >
      Couldn’t load rows: {fault.message}
    </StateBar>
  );
}

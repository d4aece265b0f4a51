import type { RefObject } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { paneOf, type ThreadUrl, withoutPanes } from "@/lib/client/session-url";
import type { RecordId } from "@/lib/wire/ids";

/** State of the inspector pane: which record it shows, and how it is opened and closed. */
export function useInspector(
  url: ThreadUrl,
  setUrl: (change: Partial<ThreadUrl>) => void,
  {
    handle,
    position,
    thread,
    inspect,
  }: {
    handle: RefObject<ThreadHandle | null>;
    position: PositionStore;
    thread: OpenThread | null;
    inspect: (recordId: RecordId) => void;
  },
): { inspected: RecordId | null; close: () => void; toggle: () => void } {
  const inspected = paneOf(url.panes, "record");
  const close = () => setUrl({ panes: withoutPanes(url.panes, ({ kind }) => kind === "record") });
  return {
    inspected,
    close,
    /** Opens the selected row's record, or the first visible row's; closes the pane if it is open. */
    toggle: () => {
      if (inspected) return close();
      const row = handle.current?.selected()?.row ?? thread?.windows.itemAt(position.get().first);
      if (row) inspect(row.recordId);
    },
  };
}

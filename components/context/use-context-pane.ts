import type { RefObject } from "react";
import { toast } from "@/components/ui/toast";
import { formatPanes, paneOf } from "@/lib/client/panes";
import type { ThreadUrl } from "@/lib/client/thread-url";
import { useKeys } from "@/lib/client/use-keys";
import type { RecordId } from "@/lib/wire/ids";
import type { ThreadHandle } from "../thread/thread-view";

/** The record whose context stands open, and the key that opens and closes it. */
export function useContextPane(
  panes: string | null,
  setUrl: (change: Partial<ThreadUrl>) => void,
  handle: RefObject<ThreadHandle | null>,
): { contextOf: RecordId | null; showContext: (recordId: RecordId) => void } {
  const contextOf = paneOf(panes, "context");
  const showContext = (recordId: RecordId) =>
    setUrl({ panes: formatPanes([{ kind: "context", id: recordId }]) });
  useKeys("context", [
    {
      keys: ["c"],
      label: "context: what the model was sent",
      group: "Open",
      run: () => {
        const row = handle.current?.selected()?.row;
        if (row && row.recordId !== contextOf) showContext(row.recordId);
        else if (contextOf) setUrl({ panes: null });
        else toast("Select a row first (j and k move)");
      },
    },
    ...(contextOf
      ? [
          {
            keys: ["Escape"],
            label: "close the context",
            group: "Open" as const,
            run: () => setUrl({ panes: null }),
          },
        ]
      : []),
  ]);
  return { contextOf, showContext };
}

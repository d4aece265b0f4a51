import type { RefObject } from "react";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { toast } from "@/components/ui/toast";
import { paneOf, withoutPanes, withPane } from "@/lib/client/panes";
import type { ThreadUrl } from "@/lib/client/thread-url";
import { useKeys } from "@/lib/client/use-keys";

/** `c`: the context of the selected row, in its pane; pressed again on the same row it goes. */
export function useContextKey(
  panes: string | null,
  setUrl: (change: Partial<ThreadUrl>) => void,
  handle: RefObject<ThreadHandle | null>,
): void {
  const contextOf = paneOf(panes, "context");
  const toggle = () => {
    const row = handle.current?.selected()?.row;
    if (row && row.recordId !== contextOf) {
      setUrl({ panes: withPane(panes, { kind: "context", id: row.recordId }) });
    } else if (contextOf) setUrl({ panes: withoutPanes(panes, ({ kind }) => kind === "context") });
    else toast("Select a row first (j and k move)");
  };
  useKeys("context", [
    { keys: ["c"], label: "context: what the model was sent", group: "Open", run: toggle },
  ]);
}

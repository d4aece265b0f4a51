import type { Dispatch, RefObject, SetStateAction } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { useThreadKeys } from "@/components/thread/use-thread-keys";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/thread-url";
import { useRestingKeys } from "@/lib/client/use-resting-keys";
import type { useInspector } from "./inspector/use-inspector";
import { useBriefKey } from "./use-brief-key";
import { useChangesView } from "./use-changes-view";
import { useContextKey } from "./use-context-key";
import { usePaneKeys } from "./use-pane-keys";

/** Keys that act on the thread and on what stands beside it. */
const COVERED_KEYS = ["thread", "brief", "context", "panes", "find"];

/** The session page's keys, but for those of the graph, of finding and of printing. They rest while `covered`. */
export function useSessionKeys({
  url,
  setUrl,
  choice,
  handle,
  position,
  thread,
  setOpen,
  actions,
  jumps,
  inspector,
  changes,
  covered,
}: {
  url: ThreadUrl;
  setUrl: (change: Partial<ThreadUrl>) => void;
  choice: ThreadChoice;
  handle: RefObject<ThreadHandle | null>;
  position: PositionStore;
  thread: OpenThread | null;
  setOpen: Dispatch<SetStateAction<ReadonlySet<string>>>;
  actions: ThreadActions;
  jumps: ThreadJumps;
  inspector: ReturnType<typeof useInspector>;
  changes: { shown: boolean; close: () => void };
  /** The graph or the changes stand in the thread's place. */
  covered: boolean;
}): void {
  // Where two have the same key, the later scope wins.
  useContextKey(url.panes, setUrl, handle);
  usePaneKeys(url.panes, setUrl, actions, handle);
  useBriefKey(handle, jumps, position, actions.toggleOpen);
  useThreadKeys({
    actions,
    handle,
    jumps,
    position,
    thread,
    setOpen,
    setUrl,
    inspected: inspector.inspected,
    closeInspector: inspector.close,
    choice,
    runs: url.runs,
  });
  useChangesView(changes.shown, changes.close, handle, position);
  useRestingKeys(covered, COVERED_KEYS);
}

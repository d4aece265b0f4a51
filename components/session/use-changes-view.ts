import type { RefObject } from "react";
import { useOpenChanges } from "@/components/thread/rows/use-open-changes";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { useKeys } from "@/lib/client/use-keys";

/** Keys that open the review of changes, of the turn being read or of the session, and close it. */
export function useChangesView(
  shown: boolean,
  close: () => void,
  handle: RefObject<ThreadHandle | null>,
  position: PositionStore,
): void {
  const openChanges = useOpenChanges();
  const ofTurn = () => {
    const turn = handle.current?.selected()?.row.turn ?? position.get().turn;
    openChanges(turn > 0 ? turn : null);
  };
  useKeys("changes", [
    { keys: ["d"], label: "changes of the turn", group: "Views and copies", run: ofTurn },
    { keys: ["D"], label: "all changes", group: "Views and copies", run: () => openChanges(null) },
    ...(shown
      ? [{ keys: ["Escape"], label: "back to the thread", group: "Views and copies" as const, run: close }]
      : []),
  ]);
}

import type { RefObject } from "react";
import type { PositionStore } from "@/lib/client/thread-position";
import { useKeys } from "@/lib/client/use-keys";
import type { ThreadHandle } from "../thread/use-thread-handle";
import type { ThreadJumps } from "../thread/use-thread-jumps";

/** A jump's row is selected with the next drawing; later than this it is not coming. */
const SELECTED_WITHIN_MS = 2_000;

/** `b`: the brief of the turn that is being read, opened below its header. */
export function useBriefKey(
  handle: RefObject<ThreadHandle | null>,
  jumps: ThreadJumps,
  position: PositionStore,
  toggleOpen: (key: string) => void,
): void {
  const toggle = async () => {
    const turn = handle.current?.selected()?.row.turn || position.get().turn;
    if (turn < 1) return;
    if (handle.current?.selected()?.row.kind !== "turn") await jumps.toTurn(turn);
    const until = performance.now() + SELECTED_WITHIN_MS;
    while (performance.now() < until) {
      const row = handle.current?.selected()?.row;
      if (row?.kind === "turn" && row.turn === turn) return toggleOpen(row.key);
      await new Promise(requestAnimationFrame);
    }
  };
  useKeys("brief", [{ keys: ["b"], label: "the turn in brief", group: "Open", run: () => void toggle() }]);
}

import type { RefObject } from "react";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { onceThere } from "@/components/thread/wait-for";
import { useKeys } from "@/lib/client/use-keys";

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
    const header = await onceThere(() => {
      const row = handle.current?.selected()?.row;
      return row?.kind === "turn" && row.turn === turn ? row : null;
    });
    if (header) toggleOpen(header.key);
  };
  useKeys("brief", [{ keys: ["b"], label: "the turn in brief", group: "Open", run: () => void toggle() }]);
}

import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/client/copy-text";
import { useKeys } from "@/lib/client/use-keys";
import { useOpenPage } from "@/lib/client/use-open-page";
import type { NowTile } from "@/lib/wire/live";
import { nowHref } from "./now-href";

/** The board's keys: from tile to tile, into the session, its resume command. `at` is the current tile's index. */
export function useBoardKeys(
  tiles: readonly NowTile[],
  at: number,
  setCurrent: (index: number) => void,
): void {
  const openPage = useOpenPage();
  const go = (index: number) => {
    const tile = tiles[index];
    if (!tile) return;
    setCurrent(index);
    document
      .querySelector(`[data-session-id="${CSS.escape(tile.summary.id)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  };
  useKeys("now", [
    { keys: ["j", "ArrowDown"], label: "next tile", group: "Move", run: () => go(at + 1) },
    { keys: ["k", "ArrowUp"], label: "previous tile", group: "Move", run: () => go(at - 1) },
    {
      keys: ["w"],
      label: "next waiting",
      group: "Move",
      run: () => {
        const next = tiles.findIndex((tile, index) => index > at && tile.live.state === "waiting");
        go(next === -1 ? tiles.findIndex((tile) => tile.live.state === "waiting") : next);
      },
    },
    {
      keys: ["Enter", "o"],
      label: "open at its last row",
      group: "Open",
      run: () => {
        const tile = tiles[at];
        if (tile) openPage(nowHref(tile));
      },
    },
    {
      keys: ["y"],
      label: "copy resume command",
      group: "Views and copies",
      run: () => {
        const command = tiles[at]?.resumeCommand;
        if (!command) return;
        void copyText(command).then((copied) =>
          toast(copied ? "Copied" : "The browser does not allow copying", copied ? "plain" : "err"),
        );
      },
    },
  ]);
}

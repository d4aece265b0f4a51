import { type ComponentProps, useRef, useState } from "react";
import { RESUME_COPIED } from "@/components/session/resume-button";
import { listPlace, rememberPlace, useListPlace } from "@/components/ui/list-place";
import { toast } from "@/components/ui/toast";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { copyText } from "@/lib/client/copy-text";
import { useKeys } from "@/lib/client/key-registry";
import { setPreferences, usePreferences } from "@/lib/client/preferences";
import type { SessionId } from "@/lib/wire/ids";
import type { NowTile } from "@/lib/wire/live";
import { nowHref } from "./tile";

/** Props of the element that scrolls the board's sessions. */
export type BoardBox = Pick<ComponentProps<"div">, "ref" | "onScroll" | "onClick">;

/** The board is one list, however it is shown. */
const LIST = { view: "now", list: "" } as const;

/**
 * Which session is chosen (`at`: its index, -1 if it is not shown), and the board's scroll position: a reader who comes
 * back finds both as they were. A session that is opened is chosen.
 */
export function useBoardPlace(tiles: readonly NowTile[]): {
  at: number;
  choose: (id: SessionId) => void;
  box: BoardBox;
} {
  const [chosen, setChosen] = useState(() => listPlace(LIST.view, LIST.list).cursorKey);
  const choose = (id: string) => {
    setChosen(id);
    rememberPlace(LIST.view, LIST.list, { cursorKey: id });
  };
  const ref = useRef<HTMLDivElement>(null);
  // All tiles arrive at once, at their full height: it is enough to wait until there are any.
  const { scrolled } = useListPlace(LIST, ref, { totalPx: tiles.length, complete: true });
  return {
    // A session that has left the board stays chosen: no key may act on another in its place.
    at: chosen === null ? 0 : tiles.findIndex(({ summary }) => summary.id === chosen),
    choose,
    box: {
      ref,
      onScroll: ({ currentTarget }) => scrolled(currentTarget.scrollTop),
      onClick: ({ target }) => {
        const link = (target as Element).closest("a");
        const opened = link?.closest<HTMLElement>("[data-session-id]")?.dataset.sessionId;
        if (opened) choose(opened);
      },
    },
  };
}

/**
 * The board's keys: move between tiles, open the session, copy the command that resumes it or say what that needs. `at` is the current tile's index, -1
 * where it is not shown.
 */
export function useBoardKeys(tiles: readonly NowTile[], at: number, choose: (id: SessionId) => void): void {
  const openPage = useOpenPage();
  const { now: view } = usePreferences();
  const go = (index: number) => {
    const tile = tiles[index];
    if (!tile) return;
    choose(tile.summary.id);
    const place = document.querySelector<HTMLElement>(`[data-session-id="${CSS.escape(tile.summary.id)}"]`);
    place?.scrollIntoView({ block: "nearest" });
    place?.focus({ preventScroll: true });
  };
  useKeys([
    { keys: ["j", "ArrowDown"], label: "next session", group: "Move", run: () => go(at + 1) },
    { keys: ["k", "ArrowUp"], label: "previous session", group: "Move", run: () => go(at - 1) },
    {
      keys: ["v"],
      label: "tiles or a list",
      group: "Views and panes",
      run: () => setPreferences({ now: view === "tiles" ? "list" : "tiles" }),
    },
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
      group: "Open and read",
      run: () => {
        const tile = tiles[at];
        if (tile) openPage(nowHref(tile));
      },
    },
    {
      keys: ["y"],
      label: "resume: copy its command",
      group: "Copy and share",
      run: () => {
        const tile = tiles[at];
        if (!tile) return;
        const { summary, resumeCommand, resumeProblem } = tile;
        if (resumeProblem !== null) return openPageDialog({ about: summary.id });
        if (resumeCommand === null) return;
        void copyText(resumeCommand).then((copied) =>
          toast(copied ? RESUME_COPIED : "The browser does not allow copying", copied ? "plain" : "err"),
        );
      },
    },
  ]);
}

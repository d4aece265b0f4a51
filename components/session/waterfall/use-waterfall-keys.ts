import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import type { WaterfallRow } from "./waterfall-model";

type WaterfallMove =
  | "up"
  | "down"
  | "out"
  | "in"
  | "first"
  | "last"
  | "turn"
  | "turn back"
  | "page"
  | "page back";

const PAN_PX = 120;
const PAGE_ROWS = 20;

const MOVES: readonly [keys: readonly string[], move: WaterfallMove, label: string, panPx: number][] = [
  [["ArrowDown", "j"], "down", "next step", 0],
  [["ArrowUp", "k"], "up", "step before", 0],
  [["ArrowLeft", "h"], "out", "what it is part of (with Shift: earlier)", -PAN_PX],
  [["ArrowRight", "l"], "in", "its first part (with Shift: later)", PAN_PX],
  [["J"], "turn", "next turn", 0],
  [["K"], "turn back", "previous turn", 0],
  [["PageDown"], "page", "page down", 0],
  [["PageUp"], "page back", "page up", 0],
  [["Home"], "first", "start", 0],
  [["End", "G"], "last", "end", 0],
];

/** The waterfall's keys while it is shown. */
export function useWaterfallKeys({
  move,
  pan,
  go,
  zoom,
  fit,
  zoomTo,
  togglePath,
  escape,
}: {
  move: (to: WaterfallMove) => void;
  pan: (px: number) => void;
  go: () => void;
  zoom: (by: number) => void;
  fit: () => void;
  zoomTo: () => void;
  togglePath: () => void;
  escape: () => void;
}): void {
  useKeys([
    ...MOVES.map(
      ([keys, to, label, panPx]): KeyCommand => ({
        keys,
        label,
        group: "Move",
        run: ({ shiftKey }) => (shiftKey && panPx !== 0 ? pan(panPx) : move(to)),
      }),
    ),
    { keys: ["Enter"], label: "open in the thread", group: "Open and read", run: go },
    { keys: ["+", "="], label: "nearer", group: "Views and panes", run: () => zoom(1.5) },
    { keys: ["-"], label: "farther", group: "Views and panes", run: () => zoom(1 / 1.5) },
    { keys: ["0"], label: "fit all", group: "Views and panes", run: fit },
    { keys: ["z"], label: "zoom to the step or the part selected", group: "Views and panes", run: zoomTo },
    { keys: ["p"], label: "critical path", group: "Views and panes", run: togglePath },
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: escape },
  ]);
}

/** Where a key moves the selection from a line. */
export function moveInWaterfall(rows: readonly WaterfallRow[], index: number, move: WaterfallMove): number {
  const last = rows.length - 1;
  const depth = (at: number) => {
    const row = rows[at];
    return row?.kind === "span" ? row.depth : -1;
  };
  switch (move) {
    case "up":
      return Math.max(0, index - 1);
    case "down":
      return Math.min(last, index + 1);
    case "page":
      return Math.min(last, index + PAGE_ROWS);
    case "page back":
      return Math.max(0, index - PAGE_ROWS);
    case "first":
      return 0;
    case "last":
      return last;
    case "in":
      return index < last && depth(index + 1) > depth(index) ? index + 1 : index;
    case "out": {
      let at = index - 1;
      while (at >= 0 && depth(at) >= depth(index)) at -= 1;
      return at === -1 ? index : at;
    }
    case "turn": {
      const next = rows.findIndex((row, at) => at > index && row.kind === "turn");
      return next === -1 ? index : next;
    }
    case "turn back": {
      const before = rows.findLastIndex((row, at) => at < index && row.kind === "turn");
      return before === -1 ? index : before;
    }
  }
}

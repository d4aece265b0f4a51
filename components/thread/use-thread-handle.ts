import { type Ref, type RefObject, useImperativeHandle, useRef } from "react";
import type { Row } from "@/lib/wire/rows";
import { forkAnchor, indexOfKey, type KeptPlace } from "./list/scroll-restoration";
import { offsetOf, type RowList } from "./list/use-row-list";
import type { Anchor, OpenThread } from "./open-thread";

/** What keys, the outline and the minimap do with the list. */
export type ThreadHandle = {
  /** Brings a row into view once it is loaded, and selects it. */
  goTo: (index: number, align: "start" | "center" | "auto") => Promise<void>;
  scrollToShare: (share: number) => void;
  /** Brings the end into view; what is written then keeps it there. */
  toEnd: () => void;
  selected: () => { index: number; row: Row } | null;
  /** Brings the line of the selected row into view, if it is above or below: a key opens or closes it. */
  revealSelected: () => void;
  anchor: () => Anchor | null;
  /** The row at the top of the view, and where it begins. */
  topPlace: () => KeptPlace | null;
  /** When the thread around this fork's row changes, that row stays in place and is selected. */
  holdFork: (key: string) => void;
  /** The same for a run's row, which is opened or closed. */
  holdRun: (key: string) => void;
  /** When the thread changes next, it opens at what the address names. */
  release: () => void;
};

/** Rows beyond the screen that are loaded ahead of a scroll. */
export const AHEAD_ROWS = 20;

type Shown = {
  windows: OpenThread["windows"];
  list: RowList;
  scroller: RefObject<HTMLElement | null>;
  selected: number | null;
  /** Selects a row, which takes the focus when it is in the page. */
  select: (index: number) => void;
  total: number;
  topIndex: number;
  lastIndex: number;
};

/** Gives the list as it was drawn last into the hands of whoever holds `ref`. */
export function useThreadHandle(
  ref: Ref<ThreadHandle>,
  { windows, list, scroller, selected, select, total, topIndex, lastIndex }: Shown,
): void {
  const heldFork = useRef<string | null>(null);
  const heldRun = useRef<string | null>(null);
  const goal = useRef<number | null>(null);
  const released = useRef(false);
  const { scrollPaddingStart, scrollPaddingEnd } = list.options;
  const roomPx = (list.scrollRect?.height ?? 0) - scrollPaddingStart - scrollPaddingEnd;
  /** Whether the whole row has room in the view. */
  const fits = (row: number) => (list.measurementsCache[row]?.size ?? 0) <= roomPx;
  /** Whether the row's first line is in view. */
  const begins = (row: number) => {
    const below = (offsetOf(list, row) ?? 0) - scrollPaddingStart;
    return below >= 0 && below <= roomPx;
  };
  useImperativeHandle(ref, () => ({
    goTo: async (index, align) => {
      const row = Math.max(0, Math.min(total - 1, index));
      select(row);
      goal.current = row;
      if (!windows.itemAt(row)) await windows.ensure(row - AHEAD_ROWS, row + AHEAD_ROWS);
      // A later jump has been made while this one's rows were on their way.
      if (goal.current !== row) return;
      const from = list.measurementsCache[row]?.start;
      // A prompt comes to the very top, where its own header stands; other rows below the header.
      const isTurn = windows.itemAt(row)?.kind === "turn";
      if (isTurn && align === "start" && from !== undefined) list.scrollToOffset(from);
      else if (align !== "auto" || fits(row)) list.scrollToIndex(row, { align });
      // Its end would be brought into view, and its line be above it.
      else if (!begins(row)) list.scrollToIndex(row, { align: "start" });
    },
    scrollToShare: (share) => {
      const row = Math.floor(Math.max(0, Math.min(1, share)) * (total - 1));
      list.scrollToIndex(row, { align: "center" });
    },
    toEnd: () => list.scrollToEnd(),
    selected: () => {
      const row = selected === null ? undefined : windows.itemAt(selected);
      return row && selected !== null ? { index: selected, row } : null;
    },
    revealSelected: () => {
      if (selected !== null && !begins(selected)) list.scrollToIndex(selected, { align: "start" });
    },
    holdFork: (key) => {
      heldFork.current = key;
    },
    holdRun: (key) => {
      heldRun.current = key;
    },
    release: () => {
      released.current = true;
    },
    topPlace: () => {
      const row = windows.itemAt(topIndex);
      const offsetPx = offsetOf(list, topIndex);
      return row && offsetPx !== null ? { recordId: row.recordId, block: row.block, offsetPx } : null;
    },
    anchor: () => {
      if (released.current) return null;
      const fork = forkAnchor(windows.loaded(), heldFork.current);
      heldFork.current = null;
      const above = fork && offsetOf(list, fork.index);
      if (fork && above !== null) {
        const { recordId, block } = fork.row;
        return { recordId, block, offsetPx: above, selected: false, fork: true };
      }
      const held = heldRun.current === null ? null : indexOfKey(windows.loaded(), heldRun.current);
      heldRun.current = null;
      const visible = selected !== null && selected >= topIndex && selected <= lastIndex;
      const index = held ?? (visible && selected !== null ? selected : topIndex);
      const row = windows.itemAt(index);
      const offsetPx = offsetOf(list, index);
      if (!row || offsetPx === null) return null;
      const { recordId, block } = row;
      return {
        recordId,
        block,
        offsetPx,
        selected: held !== null || visible,
        focused: scroller.current?.contains(document.activeElement) === true,
      };
    },
  }));
}

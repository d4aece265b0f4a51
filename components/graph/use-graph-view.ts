import { useEffect, useEffectEvent, useRef } from "react";
import type { ThreadTarget } from "@/components/thread/store/thread-journeys";
import type { ThreadStore } from "@/components/thread/thread-store";
import { type SetThreadUrl, type ThreadUrl, withPane } from "@/lib/client/address/session-url";
import { useKeys } from "@/lib/client/key-registry";
import type { RecordId } from "@/lib/wire/ids";
import type { GraphLine } from "./graph-model";

/** A selected record and the line that it is on. `isMain`: the main line, which continues to the active leaf. */
export type GraphSelection = { recordId: RecordId; line: GraphLine; isMain: boolean };

/** Pressing `g` again within this time after the graph has come up goes to the thread's start. */
const DOUBLE_PRESS_MS = 700;

/** Whether the graph is shown instead of the thread, the keys that switch, and how to return to a row. */
export function useGraphView(
  thread: ThreadStore,
  url: ThreadUrl,
  setUrl: SetThreadUrl,
): {
  shown: boolean;
  toggle: () => void;
  select: (selection: GraphSelection) => void;
  go: (selection: GraphSelection) => void;
} {
  const shown = url.view === "graph";
  const shownAtMs = useRef(0);
  /** The former selection in the thread, and the selection in the graph since then. */
  const left = useRef<{ at: string | null; selected: GraphSelection | null }>({ at: url.at, selected: null });
  /** Where to go in the thread when it is shown again: it takes no focus while the graph covers it. */
  const goal = useRef<ThreadTarget | null>(null);
  const goOn = useEffectEvent(() => {
    const target = goal.current;
    goal.current = null;
    if (target) void thread.goTo(target);
  });
  useEffect(() => {
    if (shown) shownAtMs.current = performance.now();
    else goOn();
  }, [shown]);
  const show = () => {
    const row = thread.rowAtHand();
    left.current = { at: url.at, selected: null };
    setUrl({ view: "graph", at: row?.recordId ?? url.at });
  };
  const select = (selection: GraphSelection) => {
    left.current.selected = selection;
    setUrl({ at: selection.recordId });
  };
  /** @param pressedAtMs the time of the key press, which may have waited for a busy page */
  const hide = (pressedAtMs: number) => {
    const { at, selected } = left.current;
    // A selection on a line that the thread doesn't show is dropped.
    const isShown =
      selected !== null &&
      !selected.line.agent &&
      url.agent === null &&
      selected.isMain === (url.branch === null);
    const isTwice = pressedAtMs - shownAtMs.current < DOUBLE_PRESS_MS;
    goal.current = isTwice ? { row: 0 } : isShown ? { record: selected.recordId } : null;
    setUrl({ view: null, at: isShown ? selected.recordId : at });
  };
  const go = ({ recordId, line, isMain }: GraphSelection) => {
    if (line.agent)
      return setUrl({ view: null, panes: withPane(url.panes, { kind: "agent", id: line.agent }) });
    const branch = isMain ? null : line.branch;
    // The reader chose a place: Back leads to the graph again, and from there to where the reader was before.
    setUrl({ view: null, branch, agent: null, at: recordId }, "push");
    if (branch === url.branch && url.agent === null) void thread.goTo({ record: recordId });
    else thread.release();
  };
  const toggle = (pressedAtMs: number) => (shown ? hide(pressedAtMs) : show());
  useKeys([
    {
      keys: ["g"],
      label: "graph (twice: to the start)",
      group: "Views and panes",
      run: ({ timeStamp }) => toggle(timeStamp),
    },
    {
      keys: ["Escape"],
      label: "back to the thread",
      group: "Views and panes",
      when: () => shown,
      run: () => hide(Number.POSITIVE_INFINITY),
    },
  ]);
  return { shown, toggle: () => toggle(performance.now()), select, go };
}

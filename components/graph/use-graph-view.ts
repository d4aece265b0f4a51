import { type RefObject, useRef } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { withPane } from "@/lib/client/panes";
import type { ThreadUrl } from "@/lib/client/thread-url";
import { useKeys } from "@/lib/client/use-keys";
import type { GraphPlace } from "./graph-view";

/** Two presses of `g` within this time go to the thread's start. */
const TWICE_MS = 700;

/** Whether the graph stands in the thread's place, the key that changes it, and the way back to a row. */
export function useGraphView(
  url: ThreadUrl,
  setUrl: (change: Partial<ThreadUrl>) => void,
  {
    handle,
    jumps,
    thread,
    position,
  }: {
    handle: RefObject<ThreadHandle | null>;
    jumps: ThreadJumps;
    thread: OpenThread | null;
    position: PositionStore;
  },
): {
  shown: boolean;
  toggle: () => void;
  select: (place: GraphPlace) => void;
  go: (place: GraphPlace) => void;
} {
  const shown = url.view === "graph";
  const shownAtMs = useRef(0);
  /** Where the thread was, and what has been selected in the graph since. */
  const left = useRef<{ at: string | null; selected: GraphPlace | null }>({ at: url.at, selected: null });
  const show = () => {
    shownAtMs.current = performance.now();
    const row = handle.current?.selected()?.row ?? thread?.windows.itemAt(position.get().first);
    left.current = { at: url.at, selected: null };
    setUrl({ view: "graph", at: row?.recordId ?? url.at });
  };
  const select = (place: GraphPlace) => {
    left.current.selected = place;
    setUrl({ at: place.recordId });
  };
  const hide = () => {
    const { at, selected } = left.current;
    // What lies on a line that the thread does not show stays behind.
    const isShown =
      selected !== null &&
      !selected.line.agent &&
      url.agent === null &&
      selected.isMain === (url.branch === null);
    setUrl({ view: null, at: isShown ? selected.recordId : at });
    if (performance.now() - shownAtMs.current < TWICE_MS) return void handle.current?.goTo(0, "start");
    if (isShown) void jumps.toRecord(selected.recordId);
  };
  const go = ({ recordId, line, isMain }: GraphPlace) => {
    if (line.agent)
      return setUrl({ view: null, panes: withPane(url.panes, { kind: "agent", id: line.agent }) });
    const branch = isMain ? null : line.branch;
    setUrl({ view: null, branch, agent: null, at: recordId });
    if (branch === url.branch && url.agent === null) void jumps.toRecord(recordId);
    else handle.current?.release();
  };
  const toggle = shown ? hide : show;
  useKeys("graph", [
    { keys: ["g"], label: "graph (twice: to the start)", group: "Views and copies", run: toggle },
    ...(shown
      ? [{ keys: ["Escape"], label: "back to the thread", group: "Views and copies" as const, run: hide }]
      : []),
  ]);
  return { shown, toggle, select, go };
}

import { type RefObject, useRef } from "react";
import type { ThreadHandle } from "@/components/thread/thread-view";
import type { OpenThread } from "@/components/thread/use-thread";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { withPane } from "@/lib/client/panes";
import { parsePlace } from "@/lib/client/thread-permalink";
import type { PositionStore } from "@/lib/client/thread-position";
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
): { shown: boolean; toggle: () => void; go: (place: GraphPlace) => void } {
  const shown = url.view === "graph";
  const shownAtMs = useRef(0);
  const show = () => {
    shownAtMs.current = performance.now();
    const row = handle.current?.selected()?.row ?? thread?.windows.itemAt(position.get().first);
    setUrl({ view: "graph", at: row?.recordId ?? url.at });
  };
  const hide = () => {
    setUrl({ view: null });
    if (performance.now() - shownAtMs.current < TWICE_MS) return void handle.current?.goTo(0, "start");
    const at = parsePlace(url.at)?.recordId;
    if (at) void jumps.toRecord(at);
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
  return { shown, toggle, go };
}

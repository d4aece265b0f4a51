import { useEffect, useEffectEvent, useRef } from "react";
import type { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import type { ThreadTarget } from "@/components/thread/store/thread-journeys";
import type { ThreadStore } from "@/components/thread/thread-store";
import { threadUrlBelow } from "@/lib/client/address/session-history";
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
  atHand: ThreadAtHand,
  url: ThreadUrl,
  setUrl: SetThreadUrl,
): {
  shown: boolean;
  toggle: () => void;
  select: (selection: GraphSelection) => void;
  go: (selection: GraphSelection) => void;
} {
  const shown = url.view === "graph";
  const thread = atHand.main;
  const shownAtMs = useRef(0);
  /** The former selection in the thread, and the selection in the graph since then. */
  const left = useRef<{ at: string | null; selected: GraphSelection | null } | null>(null);
  /** After a reload the address below the graph's still says what was selected in the thread. */
  const leftNow = () => (left.current ??= { at: (threadUrlBelow() ?? url).at, selected: null });
  /** What to do when the thread is shown again: it takes no focus while the graph covers it. */
  const goal = useRef<(() => void) | null>(null);
  const goOn = useEffectEvent(() => {
    const next = goal.current;
    goal.current = null;
    next?.();
  });
  useEffect(() => {
    if (shown) shownAtMs.current = performance.now();
    else goOn();
  }, [shown]);
  const show = () => {
    const row = atHand.get().rowAtHand();
    left.current = { at: url.at, selected: null };
    setUrl({ view: "graph", at: row?.recordId ?? url.at });
  };
  const select = (selection: GraphSelection) => {
    leftNow().selected = selection;
    setUrl({ at: selection.recordId });
  };
  /** The thread on screen that shows a selection, the page's own or one beside it; `null`: none does. */
  const threadOf = ({ line, isMain }: GraphSelection): ThreadStore | null => {
    if (line.agent) return atHand.of(line.agent) ?? (url.agent === line.agent ? thread : null);
    return url.agent === null && isMain === (url.branch === null) ? thread : null;
  };
  /** @param pressedAtMs the time of the key press, which may have waited for a busy page */
  const hide = (pressedAtMs: number) => {
    const { at, selected } = leftNow();
    // A selection on a line that no thread on screen shows is dropped.
    const of = selected && threadOf(selected);
    const isTwice = pressedAtMs - shownAtMs.current < DOUBLE_PRESS_MS;
    const goIn = (store: ThreadStore, target: ThreadTarget) => () => void store.goTo(target);
    if (isTwice) goal.current = goIn(atHand.get(), { row: 0 });
    else goal.current = of && goIn(of, { record: selected.recordId });
    setUrl({ view: null, at: of === thread ? selected?.recordId : at });
  };
  const go = ({ recordId, line, isMain }: GraphSelection) => {
    const { agent } = line;
    if (agent && agent !== url.agent) {
      goal.current = () => atHand.whenBeside(agent, (beside) => void goOnceShown(beside, recordId));
      // The thread beside which it opens stays where it was: a place in the agent would make it the agent's.
      return setUrl({
        view: null,
        at: leftNow().at,
        panes: withPane(url.panes, { kind: "agent", id: agent }),
      });
    }
    const lineBranch = isMain ? null : line.branch;
    const branch = agent ? url.branch : lineBranch;
    // The reader chose a place: Back leads to the graph again, and from there to where the reader was before.
    setUrl({ view: null, branch, agent, at: recordId }, "push");
    if (branch === url.branch && url.agent === agent) void thread.goTo({ record: recordId });
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

/** Goes to a record of a thread that may just be opening. What keeps it from that is told in its place. */
async function goOnceShown(thread: ThreadStore, record: RecordId): Promise<void> {
  const shown = await thread.whenShown().catch(() => null);
  if (!shown) return;
  await thread.whenDrawn();
  await thread.goTo({ record });
}

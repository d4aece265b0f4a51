import { parseAsString, useQueryState } from "nuqs";
import { type Dispatch, type RefObject, type SetStateAction, useMemo } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import { useOpenChanges } from "@/components/thread/rows/turn-row";
import type { PositionStore } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { useThreadKeys } from "@/components/thread/use-thread-keys";
import { waitFor } from "@/components/thread/wait-for";
import { toast } from "@/components/ui/toast";
import { useKeys, useSuspendedKeys } from "@/lib/client/key-registry";
import { usePreferences } from "@/lib/client/preferences";
import {
  paneOf,
  parsePanes,
  type ThreadChoice,
  type ThreadUrl,
  threadChoice,
  withoutPanes,
  withPane,
} from "@/lib/client/session-url";
import type { Row } from "@/lib/wire/rows";
import type { useInspector } from "./inspector/use-inspector";

/** Keys that act on the thread and on what stands beside it. */
const COVERED_KEYS = ["thread", "brief", "context", "panes", "find"];

/** The session page's keys, but for those of the graph, of finding and of printing. They rest while `covered`. */
export function useSessionKeys({
  url,
  setUrl,
  choice,
  handle,
  position,
  thread,
  setOpen,
  actions,
  jumps,
  inspector,
  changes,
  covered,
}: {
  url: ThreadUrl;
  setUrl: (change: Partial<ThreadUrl>) => void;
  choice: ThreadChoice;
  handle: RefObject<ThreadHandle | null>;
  position: PositionStore;
  thread: OpenThread | null;
  setOpen: Dispatch<SetStateAction<ReadonlySet<string>>>;
  actions: ThreadActions;
  jumps: ThreadJumps;
  inspector: ReturnType<typeof useInspector>;
  changes: { shown: boolean; close: () => void };
  /** The graph or the changes stand in the thread's place. */
  covered: boolean;
}): void {
  // Where two have the same key, the later scope wins.
  useContextKey(url.panes, setUrl, handle);
  usePaneKeys(url.panes, setUrl, actions, handle);
  useBriefKey(handle, jumps, position, actions.toggleOpen);
  useThreadKeys({
    actions,
    handle,
    jumps,
    position,
    thread,
    setOpen,
    setUrl,
    inspected: inspector.inspected,
    closeInspector: inspector.close,
    choice,
    runs: url.runs,
  });
  useChangesView(changes.shown, changes.close, handle, position);
  useSuspendedKeys(covered, COVERED_KEYS);
}

/** Which rows the address asks for, and the reader's preferences where it says nothing. */
export function useThreadChoice({ branch, agent, detail, fold, runs }: ThreadUrl): ThreadChoice {
  const { detail: preferred, foldRuns } = usePreferences();
  const [searched] = useQueryState("q", parseAsString);
  // What is looked for may stand in any call.
  const foldsRuns = foldRuns && !searched;
  return useMemo(
    () => threadChoice({ branch, agent, detail, fold, runs }, preferred, foldsRuns),
    [branch, agent, detail, fold, runs, preferred, foldsRuns],
  );
}

/** `c`: the context of the selected row, in its pane; pressed again on the same row it goes. */
export function useContextKey(
  panes: string | null,
  setUrl: (change: Partial<ThreadUrl>) => void,
  handle: RefObject<ThreadHandle | null>,
): void {
  const contextOf = paneOf(panes, "context");
  const toggle = () => {
    const row = handle.current?.selected()?.row;
    if (row && row.recordId !== contextOf) {
      setUrl({ panes: withPane(panes, { kind: "context", id: row.recordId }) });
    } else if (contextOf) setUrl({ panes: withoutPanes(panes, ({ kind }) => kind === "context") });
    else toast("Select a row first (j and k move)");
  };
  useKeys("context", [
    { keys: ["c"], label: "context: what the model was sent", group: "Open", run: toggle },
  ]);
}

/** Keys that open and close panes: the agent of the selected row, the files, the last pane. */
export function usePaneKeys(
  panes: string | null,
  setUrl: (change: Partial<ThreadUrl>) => void,
  actions: Pick<ThreadActions, "openAgent">,
  handle: RefObject<ThreadHandle | null>,
): void {
  const listed = parsePanes(panes);
  const last = listed.at(-1);
  useKeys("panes", [
    {
      keys: ["p"],
      label: "agent beside the thread",
      group: "Open",
      run: () => {
        const row = handle.current?.selected()?.row;
        const agentId = row ? agentOf(row) : null;
        if (agentId) actions.openAgent(agentId);
        else toast("Select an agent’s row first");
      },
    },
    {
      keys: ["F"],
      label: "files of the session",
      group: "Open",
      run: () => {
        const shown = listed.some(({ kind }) => kind === "files");
        setUrl({
          panes: shown
            ? withoutPanes(panes, ({ kind }) => kind === "files")
            : withPane(panes, { kind: "files", id: "" }),
        });
      },
    },
    ...(last
      ? [
          {
            keys: ["Escape"],
            label: "close the last pane",
            group: "Open" as const,
            run: () =>
              setUrl({ panes: withoutPanes(panes, (one) => one.kind === last.kind && one.id === last.id) }),
          },
        ]
      : []),
  ]);
}

function agentOf(row: Row) {
  if (row.kind === "agent-return") return row.agentId;
  return row.kind === "tool" ? (row.agent?.agentId ?? null) : null;
}

/** Keys that open the review of changes, of the turn being read or of the session, and close it. */
export function useChangesView(
  shown: boolean,
  close: () => void,
  handle: RefObject<ThreadHandle | null>,
  position: PositionStore,
): void {
  const openChanges = useOpenChanges();
  const ofTurn = () => {
    const turn = handle.current?.selected()?.row.turn ?? position.get().turn;
    openChanges(turn > 0 ? turn : null);
  };
  useKeys("changes", [
    { keys: ["d"], label: "changes of the turn", group: "Views and copies", run: ofTurn },
    { keys: ["D"], label: "all changes", group: "Views and copies", run: () => openChanges(null) },
    ...(shown
      ? [{ keys: ["Escape"], label: "back to the thread", group: "Views and copies" as const, run: close }]
      : []),
  ]);
}

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
    const header = await waitFor(() => {
      const row = handle.current?.selected()?.row;
      return row?.kind === "turn" && row.turn === turn ? row : null;
    });
    if (header) toggleOpen(header.key);
  };
  useKeys("brief", [{ keys: ["b"], label: "the turn in brief", group: "Open", run: () => void toggle() }]);
}

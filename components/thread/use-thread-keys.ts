import { type Dispatch, type RefObject, type SetStateAction, useEffect, useEffectEvent, useRef } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { type ThreadChoice, type ThreadUrl, withRuns } from "@/lib/client/session-url";
import { DETAILS } from "@/lib/wire/rows";
import type { OpenThread } from "./open-thread";
import type { PositionStore } from "./thread-position";
import type { ThreadHandle } from "./use-thread-handle";
import type { ThreadJumps } from "./use-thread-jumps";

/** The thread's keys: rows, turns, errors, opening, folding, links, detail. */
export function useThreadKeys({
  actions,
  handle,
  jumps,
  position,
  thread,
  setOpen,
  setUrl,
  inspected,
  closeInspector,
  choice,
  runs,
}: {
  actions: ThreadActions;
  handle: RefObject<ThreadHandle | null>;
  jumps: ThreadJumps;
  position: PositionStore;
  thread: OpenThread | null;
  setOpen: Dispatch<SetStateAction<ReadonlySet<string>>>;
  setUrl: (change: Partial<ThreadUrl>) => void;
  inspected: string | null;
  closeInspector: () => void;
  choice: ThreadChoice;
  /** The open ones of the folded runs, as the address has them. */
  runs: string | null;
}): void {
  // A step that is made while what was opened is on its way counts from there.
  const awaited = useRef(0);
  const isOnItsWay = thread !== null && thread.choice.key !== choice.key;
  const move = (by: number) => {
    if (isOnItsWay) {
      awaited.current += by;
      return;
    }
    const { selected, first, last, total } = position.get();
    if (total === 0) return;
    const onScreen = selected !== null && selected >= first - 1 && selected <= last + 1;
    void handle.current?.goTo(onScreen ? selected + by : first, "auto");
  };
  const moveAwaited = useEffectEvent(() => {
    const by = awaited.current;
    awaited.current = 0;
    if (by !== 0) move(by);
  });
  useEffect(() => {
    if (!isOnItsWay) moveAwaited();
  }, [isOnItsWay]);
  const withSelected =
    (use: (row: NonNullable<ReturnType<ThreadHandle["selected"]>>["row"]) => void) => () => {
      const row = handle.current?.selected()?.row;
      if (row) use(row);
    };
  const expandTurn = withSelected(({ turn }) => {
    const rows = [...(thread?.windows.loaded() ?? [])].flatMap(([, row]) => (row.turn === turn ? [row] : []));
    const closed = rows.flatMap((row) => (row.kind === "run" && !row.open ? [row.run] : []));
    if (closed.length > 0) setUrl({ runs: withRuns(runs, closed) });
    const keys = rows.flatMap((row) => (row.kind === "tool" || row.kind === "thinking" ? [row.key] : []));
    handle.current?.revealSelected();
    setOpen((old) => {
      const next = new Set(old);
      const allOpen = closed.length === 0 && keys.every((key) => old.has(key));
      for (const key of keys) {
        if (allOpen) next.delete(key);
        else next.add(key);
      }
      return next;
    });
  });
  const commands: KeyCommand[] = [
    { keys: ["j", "ArrowDown"], label: "row down", group: "Move", run: () => move(1) },
    { keys: ["k", "ArrowUp"], label: "row up", group: "Move", run: () => move(-1) },
    { keys: ["J"], label: "next turn", group: "Move", run: () => void jumps.byTurn(1) },
    { keys: ["K"], label: "previous turn", group: "Move", run: () => void jumps.byTurn(-1) },
    { keys: ["]"], label: "next error", group: "Move", run: () => void jumps.toError(1) },
    { keys: ["["], label: "previous error", group: "Move", run: () => void jumps.toError(-1) },
    {
      keys: ["G"],
      label: "end",
      group: "Move",
      run: () => void handle.current?.goTo(position.get().total - 1, "start"),
    },
    {
      keys: ["o", "Enter"],
      label: "open or close",
      group: "Open",
      run: withSelected((row) => {
        handle.current?.revealSelected();
        if (row.kind === "turn") actions.toggleFold(row.turn);
        else if (row.kind === "run") actions.toggleRun(row.run);
        else actions.toggleOpen(row.key);
      }),
    },
    { keys: ["e"], label: "open all of the turn", group: "Open", run: expandTurn },
    {
      keys: ["f"],
      label: "fold the turn",
      group: "Open",
      run: () => {
        const turn = handle.current?.selected()?.row.turn ?? position.get().turn;
        if (turn > 0) actions.toggleFold(turn);
      },
    },
    {
      keys: ["i"],
      label: "inspector",
      group: "Open",
      run: () => {
        const row = handle.current?.selected()?.row ?? thread?.windows.itemAt(position.get().first);
        if (inspected) closeInspector();
        else if (row) actions.inspect(row.recordId);
      },
    },
    {
      keys: ["y"],
      label: "copy link",
      group: "Views and copies",
      run: withSelected((row) => actions.copyLink(row)),
    },
    ...DETAILS.map((detail, index) => ({
      keys: [String(index + 1)],
      label: detail,
      group: "Views and copies" as const,
      run: () => choice.detail !== detail && setUrl({ detail }),
    })),
    ...(inspected
      ? [
          {
            keys: ["Escape"],
            label: "close the inspector",
            group: "Open" as const,
            run: closeInspector,
          },
        ]
      : []),
  ];
  useKeys("thread", commands);
}

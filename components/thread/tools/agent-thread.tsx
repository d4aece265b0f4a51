import { useEffect, useMemo, useRef } from "react";
import { type ThreadActions, ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { useThreadWindows } from "@/components/thread/use-thread-windows";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/detail-state";
import { toggled } from "@/lib/client/toggled";
import { formatCount } from "@/lib/format/format-count";
import type { AgentId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { ThreadRow } from "../thread-row";
import { turnSpans } from "../turn-spans";
import { type InlineThread, STEP_ROWS, useInlineThread } from "./use-inline-thread";

/** All of them are in the page at once. Who wants to read more opens the agent beside the thread. */
const MOST_ROWS = 800;

type Change = ReturnType<typeof useInlineThread>["change"];

/** An agent's thread inside its call, as much of it as is asked for. It may hold agents of its own. */
export function AgentThread({
  agentId,
  lane,
  isRunning,
}: {
  agentId: AgentId;
  lane: number;
  isRunning: boolean;
}) {
  const { query, change } = useInlineThread(agentId, isRunning);
  if (!query.data) return <DetailState query={query} />;
  return <AgentRows agentId={agentId} lane={lane} shown={query.data} change={change} />;
}

function AgentRows({
  agentId,
  lane,
  shown,
  change,
}: {
  agentId: AgentId;
  lane: number;
  shown: InlineThread;
  change: Change;
}) {
  const { windows } = shown.thread;
  const snapshot = useThreadWindows(windows);
  const { total, error } = snapshot;
  const from = Math.min(shown.from, Math.max(0, total - 1));
  const to = Math.min(total, shown.to ?? total, from + MOST_ROWS);
  useEffect(() => windows.want(from, to - 1), [windows, from, to]);
  const isFull = to - from >= MOST_ROWS;
  const rows = Array.from({ length: to - from }, (_, at) => windows.itemAt(from + at));
  const actions = useInlineActions(agentId, lane, change);
  const spans = useMemo(() => turnSpans(snapshot.loaded > 0 ? loadedRows(windows) : []), [windows, snapshot]);
  return (
    <ThreadContext.Provider value={actions}>
      {/* The agent's own spine, closer in: it stands inside a row of another. */}
      <div className="border-b border-line [--ground:var(--bg)] [--hover:var(--raised)] [--rail:44px] [--spine-x:18px]">
        {from > 0 && (
          <MoreRows
            words="earlier"
            rows={from}
            onShow={isFull ? null : () => change(() => ({ from: Math.max(0, from - STEP_ROWS) }))}
          />
        )}
        {rows.map((row, at) => (
          <div
            key={row?.key ?? from + at}
            data-record-id={row?.recordId}
            aria-busy={row === undefined}
            className="group/row relative min-h-(--row)"
          >
            {row && (
              <ThreadRow
                row={row}
                turnMs={spans.get(row.turn) ?? null}
                open={shown.open.has(row.key)}
                selected={false}
              />
            )}
          </div>
        ))}
        {to < total && (
          <MoreRows
            words="next"
            rows={total - to}
            onShow={
              isFull ? null : () => change(() => ({ to: to + STEP_ROWS < total ? to + STEP_ROWS : null }))
            }
          />
        )}
      </div>
      {error && <DetailState query={{ error, isFetching: false, refetch: () => windows.retry() }} />}
    </ThreadContext.Provider>
  );
}

/** Rows that are not shown yet: a step of them, or where to read them. */
function MoreRows({
  rows,
  words,
  onShow,
}: {
  rows: number;
  words: "earlier" | "next";
  onShow: (() => void) | null;
}) {
  return (
    <div className="hatch flex h-6 items-center gap-3 px-3 text-11">
      {onShow ? (
        <Button kind="quiet" className="h-5 bg-panel" onClick={onShow}>
          Show {words} {formatCount(Math.min(STEP_ROWS, rows))} of {formatCount(rows)} rows
        </Button>
      ) : (
        <span className="bg-panel px-1 text-fg-3">
          {formatCount(rows)} {words === "next" ? "more" : words} rows: read this agent alone
        </span>
      )}
    </div>
  );
}

/** What its rows may ask for: as around it, but for what needs a list of its own. */
function useInlineActions(agentId: AgentId, lane: number, change: Change): ThreadActions {
  const outer = useThreadActions();
  const newest = useRef(change);
  newest.current = change;
  return useMemo(
    () => ({
      ...outer,
      lane,
      toggleOpen: (key: string) => newest.current((old) => ({ open: toggled(old.open, key) })),
      toggleFold: () => undefined,
      toggleRun: () => undefined,
      toRow: undefined,
      // Its other ways are to be read where there is room for one at a time.
      switchBranch: () => outer.openAgent(agentId),
    }),
    [outer, agentId, lane],
  );
}

function loadedRows(windows: InlineThread["thread"]["windows"]): Row[] {
  return Array.from(windows.loaded(), ([, row]) => row);
}

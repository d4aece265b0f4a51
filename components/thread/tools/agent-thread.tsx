import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { api } from "@/lib/client/api";
import { formatCount } from "@/lib/text/format-count";
import type { AgentId } from "@/lib/wire/ids";
import { DetailState } from "../detail-state";
import { ThreadContext, useThreadActions } from "../thread-context";
import { ThreadRow } from "../thread-row";
import { TurnSpanContext, TurnSpans } from "../turn-span";

const STEP_ROWS = 50;

/** An agent's thread inside its call, as much of it as is asked for. It may hold agents of its own. */
export function AgentThread({ agentId, lane }: { agentId: AgentId; lane: number }) {
  const outer = useThreadActions();
  const { sessionId } = outer;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery({
    queryKey: ["agent-rows", sessionId, agentId],
    queryFn: ({ signal, pageParam }) =>
      api.rows(sessionId, { agent: agentId, detail: "tools", from: pageParam, count: STEP_ROWS }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ from, rows, total }) =>
      from + rows.length < total && rows.length > 0 ? from + rows.length : undefined,
    gcTime: 30_000,
  });
  const actions = useMemo(
    () => ({
      ...outer,
      lane,
      toggleOpen: (key: string) =>
        setOpen((old) => {
          const next = new Set(old);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      toggleFold: () => undefined,
      toggleRun: () => undefined,
    }),
    [outer, lane],
  );
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const left = (pages?.[0]?.total ?? 0) - rows.length;
  const spans = useMemo(() => new TurnSpans(rows), [rows]);
  if (!query.data) return <DetailState query={query} />;
  return (
    <ThreadContext.Provider value={actions}>
      <TurnSpanContext.Provider value={spans}>
        {/* The agent's own spine, closer in: it stands inside a row of another. */}
        <div className="border-b border-line [--rail:44px] [--spine-x:18px]">
          {rows.map((row) => (
            <div key={row.key} data-record-id={row.recordId} className="group/row relative">
              <ThreadRow row={row} open={open.has(row.key)} selected={false} />
            </div>
          ))}
          {left > 0 && (
            <div className="hatch flex h-6 items-center gap-3 px-3 text-11">
              <Button
                kind="quiet"
                className="h-5 bg-panel"
                disabled={query.isFetching}
                onClick={() => void query.fetchNextPage()}
              >
                Show next {formatCount(Math.min(STEP_ROWS, left))} of {formatCount(left)} rows
              </Button>
            </div>
          )}
        </div>
      </TurnSpanContext.Provider>
    </ThreadContext.Provider>
  );
}

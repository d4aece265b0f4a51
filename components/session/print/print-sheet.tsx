import { type ReactNode, useMemo } from "react";
import { createPortal } from "react-dom";
import { PrintedComments } from "@/components/annotations/printed-comments";
import { VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { RailBelow } from "@/components/thread/rail/rail";
import { turnSpans } from "@/components/thread/rows/row-line";
import { ThreadRow } from "@/components/thread/thread-row";
import { useThreadState } from "@/components/thread/use-thread";
import { formatCount, formatFullTime } from "@/lib/format/format";
import type { PrintedRows } from "./use-print";

/** A sheet in place of the page when it is printed. Hidden on screen. */
export function Sheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div
      data-print-sheet
      className="@container/thread hidden bg-bg [--ground:var(--bg)] [--rail:60px] [--spine-x:26px] print:block"
    >
      {children}
    </div>,
    document.body,
  );
}

/** What stands over whatever is printed of a session. */
export function SheetHead() {
  const { session } = useSessionPage();
  return (
    <>
      <h1 className="text-15 font-semibold">{session && <VisibleText text={session.title} />}</h1>
      <p className="mb-3 text-12 text-fg-2">
        {[
          session?.project.path,
          session?.gitBranch,
          session?.startedAtMs == null ? null : formatFullTime(session.startedAtMs),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </>
  );
}

/** The thread for printing: all of its rows, with open rows open, and below each the comments on it. */
export function ThreadSheet({
  printed: { rows, from, total },
  head = <SheetHead />,
}: {
  printed: PrintedRows;
  head?: ReactNode;
}) {
  const { store } = useSessionPage();
  const open = useThreadState(store.thread, (state) => state.open);
  const spans = useMemo(() => turnSpans(rows), [rows]);
  const isCut = rows.length < total;
  return (
    <Sheet>
      {head}
      {isCut && (
        <p className="mb-3 border-y border-line-2 py-1 font-semibold">
          Rows {formatCount(from + 1)} to {formatCount(from + rows.length)} of {formatCount(total)}, from
          where the page stood. Less detail or folded turns put more on paper.
        </p>
      )}
      {rows.map((row) => (
        <article key={row.key} data-heads={row.kind === "turn" || undefined} className="group/row relative">
          <ThreadRow
            row={row}
            turnMs={spans.get(row.turn) ?? null}
            open={open.has(row.key)}
            selected={false}
          />
          <PrintedComments row={row} rail={<RailBelow row={row} />} />
        </article>
      ))}
      {isCut && (
        <p className="mt-3 font-semibold">The thread goes on; this is all that is printed at once.</p>
      )}
    </Sheet>
  );
}

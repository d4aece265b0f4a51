"use client";

import { clsx } from "clsx";
import { Check, Clock, Eye, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "@/lib/client/connection/api-error";
import { useDelayed } from "@/lib/client/use-debounced";
import { formatCount, formatPlural } from "@/lib/format/format";
import { Button } from "./button";
import { Icon } from "./icon";

/** An empty state: what is missing, why, and what to do (`actions`: buttons or a command line). */
export function EmptyState({
  icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    // In the middle by its margins, so that where there is little room both ends can be scrolled to.
    <div className="flex h-full overflow-auto">
      <div className="m-auto flex min-h-60 max-w-full flex-col items-center justify-center gap-2.5 px-10 py-6 text-center max-sm:px-4">
        <Icon of={icon} className="text-fg-3" />
        <h2 className="font-semibold">{title}</h2>
        {children ? <div className="max-w-[420px] text-fg-2">{children}</div> : null}
        {actions ? <div className="flex max-w-full flex-wrap justify-center gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}

/** What failed, where, and what to do. `code` is small print for a bug report. */
export function ErrorState({
  title,
  message,
  hint,
  code,
  onRetry,
  children,
}: {
  title: string;
  message: ReactNode;
  hint?: ReactNode;
  code?: string;
  onRetry?: () => void;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex h-full overflow-auto p-6 max-sm:p-4">
      <div className="m-auto flex min-h-48 w-full max-w-[440px] flex-col items-start justify-center gap-2.5">
        <div className="flex items-center gap-2">
          <Icon of={TriangleAlert} className="text-err" />
          <h2 className="font-semibold">{title}</h2>
        </div>
        {message === title ? null : (
          <p className="max-w-full [overflow-wrap:anywhere] text-fg-2">{message}</p>
        )}
        {hint ? <p className="max-w-full [overflow-wrap:anywhere] text-fg-2">{hint}</p> : null}
        {onRetry || children ? (
          <div className="flex gap-2">
            {onRetry ? (
              <Button kind="primary" onClick={onRetry}>
                Try again
              </Button>
            ) : null}
            {children}
          </div>
        ) : null}
        {code ? <p className="text-11 text-fg-3">{code}</p> : null}
      </div>
    </div>
  );
}

/** Why something could not be loaded: what the request failed with, and what to do where the server says that. */
export function FailedState({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  const { problem, hint } = error instanceof ApiError ? error : { problem: error.message, hint: undefined };
  return <ErrorState title={title} message={problem} hint={hint} onRetry={onRetry} />;
}

const TONES = {
  stale: { icon: Clock, bar: "border-warn text-warn" },
  done: { icon: Check, bar: "border-line text-fg" },
  notice: { icon: Eye, bar: "border-line text-fg-2" },
  warning: { icon: TriangleAlert, bar: "border-line text-warn" },
};

/** A notice above content that stays, such as stale or live again: a line, or what its words need. `action` goes at its right. */
export function StateBar({
  tone,
  action,
  children,
}: {
  tone: keyof typeof TONES;
  action?: ReactNode;
  children: ReactNode;
}) {
  const { icon, bar } = TONES[tone];
  return (
    <div
      role="status"
      className={clsx(
        "flex min-h-8 flex-none items-start gap-2 border-b bg-bg px-3 py-[7px] text-12/[17px]",
        bar,
      )}
    >
      <span className="flex h-[1lh] flex-none items-center">
        <Icon of={icon} small className={tone === "done" ? "text-run" : ""} />
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</span>
      {action && <span className="-my-1 flex min-h-6 flex-none items-center">{action}</span>}
    </div>
  );
}

/** A progress bar; `share` is 0 to 1. Always shown beside text with counts. Client-rendered only. */
export function Progress({ share, label, thick }: { share: number; label: string; thick?: boolean }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={clsx("relative w-full bg-line", thick ? "h-1" : "h-0.5")}
    >
      <div className="absolute inset-y-0 left-0 bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}

const WIDTHS = ["w-[30%]", "w-[52%]", "w-[44%]", "w-[40%]", "w-[60%]", "w-[36%]", "w-[48%]", "w-[42%]"];

/** The grey line in the place of a text. */
export function SkeletonText({ className }: { className?: string }) {
  return <span className={clsx("block h-2 rounded-[2px] bg-raised", className)} />;
}

/** A row of a thread that is on its way: its node on the spine, a name, a subject and a duration. */
export function ThreadSkeleton({ count, label }: { count: number; label: string }) {
  return (
    <SkeletonRows
      count={count}
      label={label}
      rowClass="grid h-row grid-cols-[var(--rail)_calc(72px*var(--u))_minmax(0,1fr)_40px] items-center gap-x-2 pr-3 sm:grid-cols-[calc(var(--rail)+16px)_calc(84px*var(--u))_minmax(0,1fr)_40px]"
      cells={threadCells}
    />
  );
}

function threadCells(width: string, row: number): ReactNode {
  return (
    <>
      <span className="ml-[calc(var(--spine-x)-3.5px)] size-[7px] rounded-full bg-line-2" />
      <SkeletonText className="mr-7" />
      <SkeletonText className={width} />
      {row % 5 !== 1 && <SkeletonText />}
    </>
  );
}

/** A mark, a name, a text and a number. */
function usualCells(width: string, row: number): ReactNode {
  return (
    <>
      <span className="m-auto size-[7px] rounded-full bg-line-2" />
      <SkeletonText />
      <SkeletonText className={width} />
      {row % 5 !== 1 && <SkeletonText />}
    </>
  );
}

/** Placeholder rows with the geometry of real ones. Not animated, and hidden for the first 150 ms. */
export function SkeletonRows({
  count,
  label,
  rowClass = "h-row",
  cells,
}: {
  count: number;
  label: string;
  rowClass?: string;
  /** What stands in a row whose columns `rowClass` lays out, else a mark, a name, a text and a number. `width`: of a text of any length. */
  cells?: (width: string, row: number) => ReactNode;
}) {
  const shown = useDelayed(true);
  return (
    // As high as there is room: more rows than fit lie over nothing else.
    <div role="status" aria-label={label} className="max-h-full min-h-0 overflow-hidden">
      {shown
        ? Array.from({ length: count }, (_, row) => (
            <div
              key={row}
              className={clsx(
                !cells && "grid grid-cols-[24px_56px_1fr_40px] items-center gap-3 px-3",
                rowClass,
              )}
            >
              {(cells ?? usualCells)(WIDTHS[row % WIDTHS.length] ?? "", row)}
            </div>
          ))
        : null}
    </div>
  );
}

/** Shown below an opened row while its content loads, or when loading fails. */
export function DetailState({
  query,
}: {
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
}) {
  const slow = useDelayed(query.isFetching);
  const { error } = query;
  return (
    <div
      aria-busy={query.isFetching}
      className="mr-3 mb-2 ml-6 flex min-h-6 flex-wrap items-center gap-x-3 rounded-2 border border-line-2 px-2 py-1 text-12 text-fg-2 max-sm:ml-0"
    >
      {error && !query.isFetching ? (
        <>
          <span className="min-w-0 text-err [overflow-wrap:anywhere]">
            {error instanceof ApiError ? error.problem : error.message}
          </span>
          {error instanceof ApiError && (
            <span className="min-w-0 [overflow-wrap:anywhere]">{error.hint}</span>
          )}
          <Button kind="quiet" onClick={() => query.refetch()}>
            Try again
          </Button>
        </>
      ) : (
        <>
          <span className="print:hidden">{slow && "Reading the log…"}</span>
          <span className="hidden print:inline">Not loaded when this was printed</span>
        </>
      )}
    </div>
  );
}

/** Shown while sessions are still being looked through, so that a part is not taken for the whole. `order`: which come first. */
export function LookingThrough({
  sessions: { done, total },
  order,
}: {
  sessions: { done: number; total: number };
  order: string;
}) {
  return (
    <StateBar tone="notice">
      <span className="flex items-center gap-3">
        Looked through {formatCount(done)} of {formatPlural(total, "session")}, {order}
        <span className="w-40 max-w-full">
          <Progress share={total === 0 ? 0 : done / total} label="Sessions looked through" />
        </span>
      </span>
    </StateBar>
  );
}

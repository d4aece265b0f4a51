import type { ReactNode } from "react";
import { Chevron } from "@/components/ui/chevron";
import { Elapsed } from "@/components/ui/elapsed";
import { cx } from "@/lib/client/class-names";
import { formatDuration, formatElapsed } from "@/lib/format/format-duration";
import type { Row } from "@/lib/wire/rows";
import { RowMarks } from "./row-marks";
import { SpanBar } from "./span-bar";

const GRID = cx(
  "grid h-row items-center gap-x-2 pr-3 whitespace-nowrap",
  "grid-cols-[16px_calc(84px*var(--u))_minmax(0,1fr)_auto_104px_calc(52px*var(--u))]",
  "sm:@max-[720px]/thread:grid-cols-[16px_calc(72px*var(--u))_minmax(0,1fr)_auto_calc(48px*var(--u))]",
  "max-sm:grid-cols-[calc(72px*var(--u))_minmax(0,1fr)_auto]",
);

/** A row of one line: chevron, name, subject, result, span, duration. What does not fit is cut at the end. */
export function RowLine({
  row,
  open,
  onToggle,
  name,
  nameTone = "plain",
  subject,
  prose = false,
  result,
  tone = "plain",
  barTone = "done",
  runsSinceMs = null,
}: {
  row: Row;
  /** `null` where there is nothing to open. */
  open: boolean | null;
  onToggle?: () => void;
  name: ReactNode;
  nameTone?: keyof typeof NAME_TONES;
  subject: ReactNode;
  /** The subject is words, not code. */
  prose?: boolean;
  result?: ReactNode;
  tone?: keyof typeof TONES;
  barTone?: "done" | "error" | "running" | "waiting" | "thin";
  /** Of a row that has not ended: its time is counted on. */
  runsSinceMs?: number | null;
}) {
  const duration = row.durationMs === null ? null : formatDuration(row.durationMs);
  return (
    // The chevron is the control; a click anywhere on the line is a shortcut to it, keys have `o`.
    <div
      className={cx(GRID, open !== null && "hover:bg-(--hover)")}
      onClick={
        open === null ? undefined : (event) => !event.defaultPrevented && selectsNothing() && onToggle?.()
      }
    >
      {open === null ? (
        <span className="max-sm:hidden" />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={open}
          aria-label={open ? "Close" : "Open"}
          className="justify-self-start rounded-1 text-fg-3 hover:text-fg max-sm:hidden"
          onClick={(event) => {
            // Not once more by the line; the row is still selected.
            event.preventDefault();
            onToggle?.();
          }}
        >
          <Chevron open={open} />
        </button>
      )}
      <span className={cx("cut-end text-12", NAME_TONES[nameTone])}>{name}</span>
      <span className={cx("cut-end", prose ? "text-12" : "font-mono text-code", SUBJECT_TONES[tone])}>
        {subject}
      </span>
      {(result || duration || row.marks) && (
        <span className={cx("flex items-center gap-2 text-12 tabular-nums", TONES[tone])}>
          <RowMarks marks={row.marks} />
          {result}
          {!result && duration && <span className="text-fg-2 sm:hidden">{duration}</span>}
        </span>
      )}
      {row.span && <SpanBar row={row} tone={barTone} />}
      {(duration || runsSinceMs !== null) && (
        <span
          className={cx(
            "-col-end-1 text-right text-12 tabular-nums max-sm:hidden",
            runsSinceMs === null ? "text-fg-2" : tone === "warn" ? "text-warn" : "text-run",
          )}
        >
          {runsSinceMs === null ? duration : <Elapsed sinceMs={runsSinceMs} format={formatElapsed} />}
        </span>
      )}
    </div>
  );
}

/** Ends a drag over text too; that click is no wish to open. */
function selectsNothing(): boolean {
  return window.getSelection()?.isCollapsed !== false;
}

const TONES = {
  plain: "text-fg-2",
  quiet: "text-fg-3",
  err: "text-err",
  warn: "text-warn",
  run: "text-run",
  stopped: "text-fg-2",
};

const NAME_TONES = { plain: "font-semibold", quiet: "text-fg-2", quietest: "text-fg-3" };

const SUBJECT_TONES: Record<keyof typeof TONES, string> = {
  plain: "text-fg",
  quiet: "text-fg-3",
  err: "text-fg",
  warn: "text-fg-2",
  run: "text-fg",
  stopped: "text-fg-2",
};

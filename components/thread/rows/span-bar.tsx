import { useContext } from "react";
import { cx } from "@/lib/client/class-names";
import type { Row } from "@/lib/wire/rows";
import { RailRowContext } from "../rail/rail-row";

const TONES = {
  done: "h-1 bg-fg-3",
  thin: "h-0.5 bg-line-3",
  error: "h-1 bg-err",
  running: "h-1 bg-run",
  waiting: "h-1.5 border border-warn",
};

/** The row's place in its turn's time, in the span column. */
export function SpanBar({ row, tone }: { row: Row; tone: keyof typeof TONES }) {
  const turnMs = useContext(RailRowContext)?.turnMs;
  if (!row.span || !turnMs) return null;
  const from = Math.min(99, Math.max(0, (row.span.fromMs / turnMs) * 100));
  const width = Math.min(100 - from, Math.max(0, ((row.span.toMs - row.span.fromMs) / turnMs) * 100));
  return (
    <i
      aria-hidden="true"
      className={cx(
        "col-start-5 min-w-0.5 rounded-[1px] @max-[720px]/thread:hidden max-sm:hidden",
        TONES[tone],
      )}
      style={{ marginLeft: `${from}%`, width: `${width}%` }}
    />
  );
}

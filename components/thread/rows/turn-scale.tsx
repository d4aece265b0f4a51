import { cx } from "@/lib/client/class-names";
import { formatDuration } from "@/lib/format/format-duration";

/** The head of the span column: zero at its left, the turn's length at its right. */
export function TurnScale({ durationMs, hidden }: { durationMs: number | null; hidden: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "flex h-full items-center justify-between border-x border-line-2 px-1.5 text-11 text-fg-3 tabular-nums",
        "@max-[720px]/thread:hidden max-sm:hidden",
        (hidden || !durationMs) && "invisible",
      )}
    >
      <span>0</span>
      <span>{durationMs ? formatDuration(durationMs) : ""}</span>
    </span>
  );
}

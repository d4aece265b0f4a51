import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";

/** A line of the outline: a number or mark, words that are cut, and facts at the right. */
export function OutlineRow({
  mark,
  current = false,
  sub = false,
  facts,
  title,
  onClick,
  children,
}: {
  mark: ReactNode;
  current?: boolean;
  sub?: boolean;
  facts?: ReactNode;
  title?: string;
  onClick?: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-current={current ? "true" : undefined}
      title={title}
      onClick={onClick}
      className={cx(
        "grid w-full grid-cols-[var(--mark,20px)_minmax(0,1fr)_auto] items-center gap-x-2 px-3 text-left max-sm:min-h-9",
        sub ? "min-h-6 text-12 text-fg-2" : "min-h-7",
        current ? "sel-bar bg-sel" : "hover:bg-raised",
      )}
    >
      <span
        className={cx(
          "flex justify-end text-11 tabular-nums",
          current ? "font-semibold text-fg" : "text-fg-3",
        )}
      >
        {mark}
      </span>
      <span className="truncate">{children}</span>
      <span className="flex items-center gap-1.5 text-11 text-fg-3 tabular-nums">{facts}</span>
    </button>
  );
}

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { labelHidden } from "@/lib/markup/hidden-characters";

/** An entry of the outline: a number or mark, a text of two lines at most, and facts on the right. */
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
      data-roving=""
      tabIndex={-1}
      aria-current={current ? "true" : undefined}
      title={labelHidden(title)}
      onClick={onClick}
      className={clsx(
        "grid w-full grid-cols-[var(--mark,20px)_minmax(0,1fr)_auto] items-start gap-x-2 px-3 py-1 text-left -outline-offset-2! max-sm:py-2",
        sub ? "text-12 text-fg-2" : "",
        current ? "sel-bar bg-sel" : "hover:bg-raised",
      )}
    >
      <span
        className={clsx(
          "flex items-center justify-end self-start text-11 tabular-nums",
          // In the middle of the first line, which is 16 px high for an agent, else 20 px.
          sub ? "h-[calc(16px*var(--u))]" : "h-[calc(20px*var(--u))]",
          current ? "font-semibold text-fg" : "text-fg-3",
        )}
      >
        {mark}
      </span>
      <span className="line-clamp-2 min-w-0 pointer-coarse:line-clamp-none [overflow-wrap:anywhere]">
        {children}
      </span>
      <span
        className={clsx(
          "flex items-center gap-1.5 self-start text-11 text-fg-3 tabular-nums",
          sub ? "h-[calc(16px*var(--u))]" : "h-[calc(20px*var(--u))]",
        )}
      >
        {facts}
      </span>
    </button>
  );
}

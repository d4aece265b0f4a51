import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";

/** The look of a link in a left column, around a `PlaceLine`. */
export function placeClass(current: boolean): string {
  return cx(
    "grid min-h-[26px] grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-3 -outline-offset-2!",
    current ? "sel-bar bg-sel" : "hover:bg-raised",
  );
}

/** What stands in a link of a left column: its mark, its words, a count or note at the right. */
export function PlaceLine({
  mark,
  note,
  children,
}: {
  mark: ReactNode;
  note: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <span className="flex justify-center">{mark}</span>
      <span className="truncate">{children}</span>
      <span className="text-11 text-fg-3 tabular-nums">{note}</span>
    </>
  );
}

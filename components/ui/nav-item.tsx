import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";

/** Classes of a link in a side column, around a `NavItem`. */
export function navItemClass(current: boolean): string {
  return cx(
    "grid min-h-[calc(26px*var(--u))] grid-cols-[16px_minmax(0,1fr)_auto] content-center items-baseline gap-x-2 px-3 -outline-offset-2!",
    current ? "sel-bar bg-sel" : "hover:bg-raised",
  );
}

/** The content of a link in a side column: mark, label, and a count or note at the right. */
export function NavItem({ mark, note, children }: { mark: ReactNode; note: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="flex justify-center self-center">{mark}</span>
      <span className="truncate">{children}</span>
      <span className="text-11 text-fg-3 tabular-nums">{note}</span>
    </>
  );
}

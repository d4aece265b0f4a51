import type { MouseEvent, ReactNode } from "react";
import { cx } from "@/lib/client/class-names";
import { type LibraryFilters, libraryHref } from "@/lib/client/library-filters";
import { useLibraryFilters } from "@/lib/client/use-library-filters";

/** A place of the library in the left column. A real link, so that it opens in a new tab; a plain click stays. */
export function PlaceLink({
  to,
  current,
  mark,
  count,
  title,
  children,
}: {
  to: Pick<LibraryFilters, "project" | "running">;
  current: boolean;
  mark: ReactNode;
  count: string;
  title?: string;
  children: ReactNode;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void setFilters(to, { history: "push" });
  };
  return (
    <a
      href={libraryHref({ ...filters, ...to })}
      onClick={go}
      title={title}
      aria-current={current ? "page" : undefined}
      className={cx(
        "grid min-h-[26px] grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-3 -outline-offset-2!",
        current ? "sel-bar bg-sel" : "hover:bg-raised",
      )}
    >
      <span className="flex justify-center">{mark}</span>
      <span className="truncate">{children}</span>
      <span className="text-11 text-fg-3 tabular-nums">{count}</span>
    </a>
  );
}

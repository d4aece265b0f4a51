import type { MouseEvent, ReactNode } from "react";
import { PlaceLine, placeClass } from "@/components/ui/place-line";
import { type LibraryFilters, libraryHref } from "./library-filters";
import { useLibraryFilters } from "./use-library-filters";

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
    setFilters(to, { history: "push" });
  };
  return (
    <a
      href={libraryHref({ ...filters, ...to })}
      onClick={go}
      title={title}
      aria-current={current ? "page" : undefined}
      className={placeClass(current)}
    >
      <PlaceLine mark={mark} note={count}>
        {children}
      </PlaceLine>
    </a>
  );
}

import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { isSort, LIBRARY_COLUMNS, numberColumns, type SessionSort } from "@/lib/wire/library-columns";
import { useLibraryFilters } from "../library-filters";
import { ACTIVITY_SHOWN, BRANCH_SHOWN, shownClass } from "./number-columns";

/** Heads of the wide table's columns; those by which the list can be ordered are buttons. */
export function ListHead() {
  const [{ sort }] = useLibraryFilters();
  return (
    <div
      role="rowgroup"
      className="flex-none overflow-y-scroll border-b border-line-2 [scrollbar-color:transparent_transparent]"
    >
      <div role="row" className="library-columns h-7 pr-4 pl-3 text-11 whitespace-nowrap text-fg-3">
        <span role="columnheader">
          <span className="sr-only">State</span>
        </span>
        <Head sort="title">{LIBRARY_COLUMNS.title.head}</Head>
        <Head>Project</Head>
        <Head className={BRANCH_SHOWN}>Branch</Head>
        <Head className={ACTIVITY_SHOWN}>Activity</Head>
        {numberColumns(sort).map(({ key, label, from }) => (
          <Head key={key} sort={isSort(key) ? key : undefined} right className={shownClass(from)}>
            {label}
          </Head>
        ))}
        <Head sort={sort === "started" ? "started" : "active"} right>
          {sort === "started" ? LIBRARY_COLUMNS.started.label : LIBRARY_COLUMNS.active.head}
        </Head>
      </div>
    </div>
  );
}

function Head({
  sort,
  right,
  className,
  children,
}: {
  sort?: SessionSort;
  right?: boolean;
  className?: string;
  children: string;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const on = sort !== undefined && filters.sort === sort;
  const order = sort && LIBRARY_COLUMNS[sort].order;
  return (
    <span
      role="columnheader"
      aria-sort={on ? order : undefined}
      className={clsx("flex", right && "justify-end", className)}
    >
      {sort ? (
        <button
          type="button"
          className={clsx(
            "touch-room relative inline-flex items-center gap-0.5 hover:text-fg",
            on && "font-semibold text-fg",
          )}
          onClick={() => setFilters({ sort: on ? "active" : sort })}
        >
          {/* Before a number's head, so that the head stays above its numbers. */}
          {on && right && <Icon of={order === "ascending" ? ArrowUp : ArrowDown} small />}
          {children}
          {on && !right && <Icon of={order === "ascending" ? ArrowUp : ArrowDown} small />}
        </button>
      ) : (
        children
      )}
    </span>
  );
}

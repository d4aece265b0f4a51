import { cx } from "@/lib/client/class-names";
import type { SessionSort } from "@/lib/wire/library";
import { useLibraryFilters } from "./use-library-filters";

/** Heads of the wide table's columns; those that the list can be ordered by are buttons. */
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
        <Head sort="title">Session</Head>
        <Head>Project</Head>
        <Head className="max-lg:hidden">Branch</Head>
        <Head className="max-[1100px]:hidden">Activity</Head>
        <Head sort="turns" right>
          Turns
        </Head>
        <Head sort="tools" right className="max-md:hidden">
          Tools
        </Head>
        <Head right className="max-lg:hidden">
          Agents
        </Head>
        {sort === "bytes" ? (
          <Head sort="bytes" right>
            Size
          </Head>
        ) : (
          <Head sort="tokens" right>
            Tokens
          </Head>
        )}
        <Head sort="errors" right>
          Errors
        </Head>
        <Head sort={sort === "started" ? "started" : "active"} right>
          {sort === "started" ? "Started" : "When"}
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
  const on = sort !== undefined && filters.sort === sort && sort !== "active";
  const direction = sort === "title" ? "ascending" : "descending";
  return (
    <span
      role="columnheader"
      aria-sort={on ? direction : undefined}
      className={cx(right && "text-right", className)}
    >
      {sort ? (
        <button
          type="button"
          className={cx("hover:text-fg", on && "font-semibold text-fg")}
          onClick={() => setFilters({ sort: on ? "active" : sort })}
        >
          {children}
        </button>
      ) : (
        children
      )}
    </span>
  );
}

import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { PageLink } from "@/components/ui/page-link";
import { formatCompact, formatCost, formatCount } from "@/lib/format/format";
import { shortenHome } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type UsageBy, type UsageRow, type UsageSums, usageTokens } from "@/lib/wire/usage";
import type { ShownRows } from "./usage-scroll";
import { hrefOfRow, isTimeStep, measureOf, nameOfRow, type RowsOf } from "./usage-series";

type Column = {
  /** What the address calls it where the rows are sorted by it. */
  key: string;
  label: string;
  about: string;
  of: (row: UsageSums) => number;
  text: (row: UsageSums) => string;
  /** Only if there is room for it. */
  wide?: true;
};

const count = (of: (row: UsageSums) => number) => ({ of, text: (row: UsageSums) => formatCompact(of(row)) });

/** The columns of numbers, in their order: each can be sorted by. */
const COLUMNS = [
  {
    key: "requests",
    label: "Requests",
    about: "Answers of the API",
    ...count((row) => row.requests),
    wide: true,
  },
  {
    key: "sessions",
    label: "Sessions",
    about: "In which they were made",
    ...count((row) => row.sessions),
    wide: true,
  },
  {
    key: "input",
    label: "Input",
    about: "Sent and not in the cache",
    ...count((row) => row.input),
    wide: true,
  },
  {
    key: "output",
    label: "Output",
    about: "Written, thinking included",
    ...count((row) => row.output),
    wide: true,
  },
  {
    key: "read",
    label: "Cache read",
    about: "Read from the cache",
    ...count((row) => row.cacheRead),
    wide: true,
  },
  {
    key: "write",
    label: "Cache write",
    about: "Kept in the cache for five minutes or an hour",
    ...count((row) => row.cacheWrite5m + row.cacheWrite1h),
    wide: true,
  },
  { key: "tokens", label: "Tokens", about: "All of them", ...count(usageTokens) },
  {
    key: "cost",
    label: "Cost",
    about: "API-equivalent",
    // Rows without a price cannot be compared: they come last.
    of: (row) => row.costMicroUsd ?? -1,
    text: (row) => formatCost(row.costMicroUsd, row.unpricedTokens),
  },
] as const satisfies readonly Column[];

type UsageSort = "name" | (typeof COLUMNS)[number]["key"];

/** What the rows can be sorted by, as the address says it. */
export const USAGE_SORTS: readonly UsageSort[] = ["name", ...COLUMNS.map(({ key }) => key)];

/** Rows in this order; `name` by their names, times by time. */
export function sortedRows(by: UsageBy, rows: readonly UsageRow[], sort: UsageSort, up: boolean): UsageRow[] {
  const column = COLUMNS.find(({ key }) => key === sort);
  const named = (row: UsageRow) => (isTimeStep(by) ? row.key : nameOfRow(by, row).toLowerCase());
  const ascending = rows.toSorted((a, b) =>
    column ? column.of(a) - column.of(b) : named(a) < named(b) ? -1 : named(a) > named(b) ? 1 : 0,
  );
  return up ? ascending : ascending.reverse();
}

const HEAD = "sticky top-0 z-10 border-b border-line bg-panel font-normal text-fg-3 whitespace-nowrap";

/** By what the rows are ordered, and how that is changed. */
type UsageOrder = { sort: UsageSort; up: boolean; onSort: (sort: UsageSort, up: boolean) => void };

/** The usage, one line per row. Heads order it; a name links to the sessions. */
export function UsageTable({
  by,
  of,
  rows,
  total,
  shown,
  totals,
  order,
}: {
  by: UsageBy;
  of: RowsOf;
  rows: readonly UsageRow[];
  /** How many rows there are: `rows` may be the first of them. */
  total: number;
  shown: ShownRows;
  totals: UsageSums;
  order: UsageOrder;
}) {
  const { measure } = of;
  // Each row of the table of sessions is one session.
  const listed: readonly (Column & { key: UsageSort })[] = COLUMNS;
  const columns = listed.filter(({ key }) => key !== "sessions" || by !== "session");
  const most = rows.reduce((max, row) => Math.max(max, measureOf(row, measure) ?? 0), 1);
  return (
    <>
      <table
        aria-label={`Usage by ${by}`}
        className="w-full table-fixed border-separate border-spacing-0 text-12 tabular-nums"
      >
        <ColumnWidths columns={columns} />
        <thead className="text-11">
          <tr>
            <Head by="name" order={order} title="" className="px-3 text-left">
              {NAMES[by]}
            </Head>
            {columns.map(({ key, label, about, wide }) => (
              <Head
                key={key}
                by={key}
                order={order}
                title={about}
                className={clsx("px-2 text-right", wide && "max-md:hidden")}
              >
                {label}
              </Head>
            ))}
            <td aria-hidden="true" className={clsx(HEAD, "pr-3 max-sm:hidden")} />
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown.count).map((row) => (
            <tr key={row.key} className="h-row hover:bg-raised">
              <th scope="row" className="truncate px-3 text-left font-normal">
                <RowName by={by} row={row} of={of} />
              </th>
              <Numbers columns={columns} row={row} />
              <td aria-hidden="true" className="pr-3 pl-1 max-sm:hidden">
                <span
                  className={clsx("block h-1.5 bg-lane-6", measureOf(row, measure) && "min-w-px")}
                  style={{ width: `${(100 * (measureOf(row, measure) ?? 0)) / most}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="h-row font-semibold">
            <th scope="row" className="border-t border-line px-3 text-left">
              Total
            </th>
            <Numbers columns={columns} row={totals} className="border-t border-line" />
            <td aria-hidden="true" className="border-t border-line max-sm:hidden" />
          </tr>
        </tfoot>
      </table>
      {shown.more(total)}
    </>
  );
}

/** The columns' widths: the name takes what the numbers and the bar leave. */
function ColumnWidths({ columns }: { columns: readonly Column[] }) {
  return (
    <colgroup>
      <col />
      {columns.map(({ key, wide }) => (
        <col
          key={key}
          className={
            wide
              ? "w-[calc(84px*var(--u))] max-lg:w-[calc(76px*var(--u))] max-md:hidden"
              : key === "cost"
                ? // Its total is bold, and may end with a plus.
                  "w-[calc(100px*var(--u))]"
                : "w-[calc(84px*var(--u))] max-sm:w-[calc(78px*var(--u))]"
          }
        />
      ))}
      <col className="w-[18%] max-lg:w-[12%] max-sm:hidden" />
    </colgroup>
  );
}

/** A column's head, which orders the rows by it: descending first, names ascending. */
function Head({
  by,
  order: { sort, up, onSort },
  title,
  className,
  children,
}: {
  by: UsageSort;
  order: UsageOrder;
  title: string;
  className: string;
  children: string;
}) {
  const isSorted = sort === by;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (up ? "ascending" : "descending") : "none"}
      className={clsx(HEAD, className)}
    >
      <button
        type="button"
        title={title}
        className={clsx(
          "inline-flex h-6 items-center gap-0.5 hover:text-fg",
          isSorted && "font-semibold text-fg",
        )}
        onClick={() => onSort(by, isSorted ? !up : by === "name")}
      >
        {children}
        {isSorted && <Icon of={up ? ArrowUp : ArrowDown} small />}
      </button>
    </th>
  );
}

const NAMES: Record<UsageBy, string> = {
  day: "Day",
  week: "Week",
  month: "Month",
  project: "Project",
  model: "Model",
  branch: "Git branch",
  agent: "Type of agent",
  tool: "First tool called",
  session: "Session",
};

function RowName({ by, row, of }: { by: UsageBy; row: UsageRow; of: RowsOf }) {
  const href = hrefOfRow(by, row, of);
  const name = by === "project" ? shortenHome(nameOfRow(by, row)) : nameOfRow(by, row);
  if (href === null)
    return (
      <span className="text-fg-2" title={labelHidden(name)}>
        <VisibleText text={name} />
      </span>
    );
  return (
    <PageLink
      href={href}
      className="hover:underline"
      title={labelHidden(by === "session" ? name : `Sessions: ${name}`)}
    >
      <VisibleText text={name} />
    </PageLink>
  );
}

function Numbers({
  columns,
  row,
  className,
}: {
  columns: readonly Column[];
  row: UsageSums;
  className?: string;
}) {
  return columns.map(({ key, of, text, wide }) => {
    const isNone = of(row) === 0;
    const unpriced =
      row.unpricedTokens > 0 ? `${formatCount(row.unpricedTokens)} tokens without a price` : undefined;
    const title = key === "cost" ? unpriced : isNone ? undefined : formatCount(of(row));
    return (
      <td
        key={key}
        title={title}
        className={clsx(
          "px-2 text-right whitespace-nowrap",
          wide && "max-md:hidden",
          isNone || (key === "cost" && row.costMicroUsd === null) ? "text-fg-3" : !wide || "text-fg-2",
          className,
        )}
      >
        {isNone ? "·" : text(row)}
      </td>
    );
  });
}

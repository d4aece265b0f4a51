import { Search as SearchIcon } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState, ErrorState, SkeletonRows } from "@/components/ui/states";
import { ApiError } from "@/lib/client/connection/api-error";
import { FILTER_NAMES, filterEntry } from "@/lib/query/filters";
import { formatUnsearched } from "./search-status";
import { queryTokens, withoutPiece } from "./search-tokens";
import type { PageSearch } from "./use-search";

/** Shown instead of the list: how to ask, waiting, failed, filtered out, or nothing found. */
export function SearchState({
  search,
  query,
  filtered,
  waiting,
  onQuery,
  onClearFacets,
}: {
  search: PageSearch;
  query: string;
  /** There are hits, but the facets hide them all. */
  filtered: boolean;
  /** Which hits pass the facets is not known yet. */
  waiting: boolean;
  onQuery: (query: string) => void;
  onClearFacets: () => void;
}) {
  if (filtered && waiting) return <Searching />;
  if (filtered) {
    return (
      <EmptyState
        icon={SearchIcon}
        title="No results match the selected filters"
        actions={<Button onClick={onClearFacets}>Clear filters</Button>}
      />
    );
  }
  if (search.phase === "failed") {
    const { error } = search;
    return (
      <ErrorState
        title="Search failed"
        message={error?.message}
        hint={error instanceof ApiError ? error.hint : undefined}
        code={error instanceof ApiError ? error.code : undefined}
        onRetry={search.again}
      />
    );
  }
  if (query.trim() === "") return <QueryHelp onQuery={onQuery} />;
  if (search.phase === "idle" || search.phase === "running") {
    return <Searching />;
  }
  const filters = queryTokens(query).filter(({ kind, negated }) => kind === "filter" || negated);
  const last = filters.at(-1);
  const unsearched = search.progress?.unsearched ?? 0;
  const isWhole = search.complete && unsearched === 0;
  return (
    <EmptyState
      icon={SearchIcon}
      title={isWhole ? `No results for ${query.trim()}` : "No results so far"}
      actions={
        last && (
          <Button onClick={() => onQuery(withoutPiece(query, last))}>
            Remove <code className="font-mono">{query.slice(last.from, last.to)}</code>
          </Button>
        )
      }
    >
      {isWhole
        ? "Searched prompts, answers, thinking, tool inputs and outputs in every session."
        : unsearched > 0
          ? `${formatUnsearched(unsearched)} for them.`
          : "The search ended early. Search again to go through everything."}
    </EmptyState>
  );
}

function Searching() {
  return <SkeletonRows count={14} label="Searching" rowClass="h-7 border-b border-line" />;
}

const EXAMPLES: readonly [query: string, does: string][] = [
  ["retry backoff", "both words, in the same text"],
  ['"gives up after"', "exact phrase"],
  ["timeout -test", "the first word without the second"],
  ["ENOENT OR EACCES", "either word"],
  ["/retry\\w*\\(/", "regular expression (RE2)"],
];

/** Help on the query language, if there is no query yet: examples that can be clicked, and the filters. */
function QueryHelp({ onQuery }: { onQuery: (query: string) => void }) {
  return (
    <div tabIndex={-1} className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[640px] px-6 py-10 max-sm:px-3 max-sm:py-4">
        <h2 className="font-semibold">Search every session</h2>
        <p className="mt-1 text-fg-2">
          Finds prompts, answers, thinking, tool inputs and outputs, in main threads and agents.
          Case-insensitive.
        </p>
        <List title="Words" entries={EXAMPLES} onQuery={onQuery} />
        <List
          title="Filters"
          entries={FILTER_NAMES.map((name) => {
            const { does, values } = filterEntry(name);
            const isTold = values.length < 2 || values.every((value) => does.includes(value));
            return [`${name}:${values[0] ?? ""}`, isTold ? does : `${does}: ${values.join(", ")}`];
          })}
          onQuery={onQuery}
        />
      </div>
    </div>
  );
}

function List({
  title,
  entries,
  onQuery,
}: {
  title: string;
  entries: readonly (readonly [query: string, does: string])[];
  onQuery: (query: string) => void;
}) {
  return (
    <>
      <h3 className="mt-5 mb-1 text-11 text-fg-3">{title}</h3>
      <ul className="border-t border-line">
        {entries.map(([query, does]) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => onQuery(query)}
              className="grid min-h-7 w-full grid-cols-[calc(168px*var(--u))_minmax(0,1fr)] items-center gap-x-3 border-b border-line px-1 text-left text-12 -outline-offset-2! hover:bg-raised max-sm:min-h-9"
            >
              <code className="truncate font-mono text-code">{query}</code>
              <span className="py-1 text-fg-2 max-sm:py-1.5">{does}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

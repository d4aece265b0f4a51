import { Search as SearchIcon } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ApiError } from "@/lib/client/api-error";
import { QueryHelp } from "./query-help";
import { queryTokens } from "./search-tokens";
import type { Search } from "./use-search";

/** What stands in the list's place: how to ask, waiting, failed, filtered out, or found nowhere. */
export function SearchState({
  search,
  query,
  filtered,
  onQuery,
  onClearFacets,
}: {
  search: Search;
  query: string;
  /** There are hits, but the facets hide them all. */
  filtered: boolean;
  onQuery: (query: string) => void;
  onClearFacets: () => void;
}) {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchIcon}
        title="The facets hide every hit"
        actions={<Button onClick={onClearFacets}>Show all hits</Button>}
      />
    );
  }
  if (search.phase === "failed") {
    const { error } = search;
    return (
      <ErrorState
        title="The search failed"
        message={error?.message}
        hint={error instanceof ApiError ? error.hint : undefined}
        code={error instanceof ApiError ? error.code : undefined}
        onRetry={search.again}
      />
    );
  }
  if (query.trim() === "") return <QueryHelp onQuery={onQuery} />;
  if (search.phase === "idle" || search.phase === "running") {
    return <SkeletonRows count={14} label="Searching" rowClass="h-7 border-b border-line" />;
  }
  const filters = queryTokens(query).filter(({ kind, negated }) => kind === "filter" || negated);
  const last = filters.at(-1);
  return (
    <EmptyState
      icon={SearchIcon}
      title={search.complete ? "Found nowhere" : "Nothing found so far"}
      actions={
        last && (
          <Button onClick={() => onQuery(`${query.slice(0, last.from)}${query.slice(last.to)}`.trim())}>
            Without <code className="font-mono">{query.slice(last.from, last.to)}</code>
          </Button>
        )
      }
    >
      {search.complete ? (
        <>
          Every text of every log was looked at: prompts, answers, thinking, what tools were given and what
          they wrote. <code className="font-mono text-12 [overflow-wrap:anywhere]">{query.trim()}</code> is in
          none.
        </>
      ) : (
        "Not everything was looked at. Search again to go through all of it."
      )}
    </EmptyState>
  );
}

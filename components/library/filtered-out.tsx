import { Search } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterToken } from "@/components/ui/tag";
import { useProjects } from "@/lib/client/use-projects";
import { formatPlural } from "@/lib/format/format-count";
import { splitPath } from "@/lib/format/split-path";
import { activeFilters, type LibraryFilter, passes, withoutFilters } from "./library-filters";
import type { LibraryList } from "./use-library";
import { useLibraryFilters } from "./use-library-filters";

/** No session passes: says what each filter costs, where the page can tell, and takes them away. */
export function FilteredOut({ library }: { library: LibraryList }) {
  const [filters, setFilters] = useLibraryFilters();
  const projects = useProjects().data;
  const { sessions, nowMs } = library;
  const active = activeFilters(filters).map((filter) => {
    const project = filter.name === "project" ? projects?.find(({ id }) => id === filter.value) : undefined;
    const without = withoutFilters(filters, [filter.name]);
    const own = filter.name !== "project" && filter.name !== "q";
    return {
      ...filter,
      value: project ? splitPath(project.path).name : filter.value,
      count: own ? sessions.filter((session) => passes(session, without, nowMs)).length : null,
    };
  });
  const clear = (names: LibraryFilter[]) => setFilters(withoutFilters(filters, names));
  const best = active.reduce((left, right) => ((right.count ?? 0) > (left.count ?? 0) ? right : left));
  return (
    <EmptyState
      icon={Search}
      title={`Nothing matches ${active.length === 1 ? "this filter" : `${active.length} filters`}`}
      actions={
        <>
          {active.length > 1 ? (
            <Button onClick={() => clear([best.name])}>
              Remove {best.token}:{best.value}
            </Button>
          ) : null}
          <Button
            kind={active.length > 1 ? "quiet" : "plain"}
            onClick={() => clear(active.map(({ name }) => name))}
          >
            Clear all
          </Button>
        </>
      }
    >
      {active.map(({ name, token, value, count }) => (
        <p key={name} className="my-1">
          {active.length > 1 && count ? "Without " : null}
          <FilterToken name={token} value={value} />
          {active.length > 1 && count
            ? ` there ${count === 1 ? "is" : "are"} ${formatPlural(count, "session")}`
            : null}
        </p>
      ))}
    </EmptyState>
  );
}

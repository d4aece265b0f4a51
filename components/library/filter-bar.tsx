import { Search, X } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { Progress } from "@/components/ui/progress";
import { Segmented } from "@/components/ui/segmented";
import { useHealth } from "@/lib/client/use-health";
import { formatPercent } from "@/lib/format/format-count";
import type { SessionSummary } from "@/lib/wire/library";
import { FacetMenu } from "./facet-menu";
import { indexingShare } from "./indexing-words";
import { ProjectMenu } from "./project-menu";
import { SortMenu } from "./sort-menu";
import { useLibraryFilters } from "./use-library-filters";

const TIMES = [
  { value: "any", label: "Any time" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
] as const;

/** Words and quick filters over the list; all of them are in the address. */
export function FilterBar({
  fieldRef,
  sessions,
  problemId,
}: {
  fieldRef: RefObject<HTMLInputElement | null>;
  sessions: readonly SessionSummary[];
  /** The element that says what is wrong with the words; null while nothing is. */
  problemId: string | null;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    if (event.key === "Escape") setFilters({ q: "" });
    event.currentTarget.blur();
  };
  return (
    <search
      aria-label="Filter sessions"
      className="relative flex min-h-tool flex-none flex-wrap items-center gap-x-2 md:flex-nowrap gap-y-1 border-b border-line px-3 py-1 text-12 whitespace-nowrap max-sm:min-h-10 max-sm:pt-1.5"
    >
      <Field
        ref={fieldRef}
        label="Filter by title, prompt, branch or path"
        placeholder="Filter by title, prompt, branch, path"
        icon={Search}
        type="search"
        className="w-[340px] min-w-32 shrink max-lg:w-[240px] max-sm:w-full"
        aria-invalid={problemId !== null}
        aria-describedby={problemId ?? undefined}
        value={filters.q}
        onChange={(event) => setFilters({ q: event.target.value })}
        onKeyDown={leave}
      >
        {filters.q ? (
          <button type="button" aria-label="Clear the filter" onClick={() => setFilters({ q: "" })}>
            <Icon of={X} small />
          </button>
        ) : (
          <span className="max-sm:hidden">
            <Kbd>/</Kbd>
          </span>
        )}
      </Field>
      <span className="md:hidden">
        <ProjectMenu />
      </span>
      <Segmented
        label="Time"
        className="max-sm:hidden"
        choices={TIMES}
        value={filters.since ?? "any"}
        onChange={(since) => setFilters({ since: since === "any" ? null : since })}
      />
      <FacetMenu name="branch" label="Branch" sessions={sessions} valuesOf={branchOf} />
      <span className="max-md:hidden">
        <FacetMenu name="model" label="Model" sessions={sessions} valuesOf={modelsOf} />
      </span>
      <Button kind="quiet" pressed={filters.errors} onClick={() => setFilters({ errors: !filters.errors })}>
        <Icon of={X} small className="text-err" />
        <span className="max-lg:hidden">With errors</span>
        <span className="lg:hidden">Errors</span>
      </Button>
      <Button kind="quiet" pressed={filters.agents} onClick={() => setFilters({ agents: !filters.agents })}>
        <span className="max-lg:hidden">With agents</span>
        <span className="lg:hidden">Agents</span>
      </Button>
      <span className="flex-1" />
      <SortMenu />
      <NarrowIndexing />
    </search>
  );
}

/** Where there is no left column, the indexing is told here. */
function NarrowIndexing() {
  const health = useHealth().data;
  if (!health || health.indexing.done) return null;
  const share = indexingShare(health.indexing);
  return (
    <>
      <span className="hidden text-fg-3 tabular-nums max-sm:inline">index {formatPercent(share)}</span>
      <div className="absolute inset-x-0 -bottom-px hidden max-md:block">
        <Progress share={share} label="Indexing" />
      </div>
    </>
  );
}

const branchOf = ({ gitBranch }: SessionSummary) => (gitBranch ? [gitBranch] : []);
const modelsOf = ({ models }: SessionSummary) => models;

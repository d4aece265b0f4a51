import { useMemo } from "react";
import { splitPath } from "@/lib/format/split-path";
import type { Project } from "@/lib/wire/library";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { DayStrip } from "./day-strip";
import { FacetGroup } from "./facet-group";
import { countFacet, type Facets, FIELD_WORDS } from "./search-facets";
import { toggleFacet } from "./search-url";

/** The left column: what the hits are made of, each value with its count, each a filter. */
export function FacetColumn({
  hits,
  facets,
  projects,
  growing,
  onChange,
}: {
  hits: readonly SearchHit[];
  facets: Facets;
  projects: readonly Project[];
  /** More hits may come: counts are the least there are. */
  growing: boolean;
  onChange: (change: Partial<Facets>) => void;
}) {
  const counts = useMemo(
    () => ({
      fields: countFacet(hits, facets, "fields"),
      projects: countFacet(hits, facets, "projects"),
      tools: countFacet(hits, facets, "tools"),
      threads: countFacet(hits, facets, "threads"),
      days: countFacet(hits, facets, "days"),
    }),
    [hits, facets],
  );
  const nameOf = (id: string) => {
    const project = projects.find((one) => one.id === id);
    return project ? splitPath(project.path).name : id;
  };
  const any = Object.values(facets).some((values: readonly unknown[]) => values.length > 0);
  return (
    <aside
      aria-label="Facets"
      tabIndex={-1}
      className="overflow-auto border-r border-line-2 bg-panel pb-3 max-md:hidden"
    >
      <FacetGroup
        title="Found in"
        values={counts.fields}
        chosen={facets.fields}
        growing={growing}
        nameOf={(field) => FIELD_WORDS[field as SearchField] ?? field}
        onToggle={(field) => onChange(toggleFacet(facets, "fields", field))}
      />
      <FacetGroup
        title="Input of"
        values={counts.tools}
        chosen={facets.tools}
        growing={growing}
        nameOf={(tool) => tool}
        onToggle={(tool) => onChange(toggleFacet(facets, "tools", tool))}
      />
      <FacetGroup
        title="Thread"
        values={counts.threads}
        chosen={facets.threads}
        growing={growing}
        nameOf={(thread) => (thread === "main" ? "Main thread" : "Inside an agent")}
        onToggle={(thread) => onChange(toggleFacet(facets, "threads", thread))}
      />
      <FacetGroup
        title="Project"
        values={counts.projects}
        chosen={facets.projects}
        growing={growing}
        nameOf={nameOf}
        onToggle={(project) => onChange(toggleFacet(facets, "projects", project))}
      />
      <DayStrip days={counts.days} chosen={facets.days} onChange={(days) => onChange({ days })} />
      {any && (
        <button
          type="button"
          className="mx-3 mt-3 text-12 text-accent hover:underline"
          onClick={() => onChange({ fields: [], projects: [], tools: [], threads: [], days: [] })}
        >
          Show all hits
        </button>
      )}
    </aside>
  );
}

import { clsx } from "clsx";
import { useMemo, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { showInPlaceOf } from "@/components/ui/main-focus";
import { formatCount } from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { projectNames } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { Project } from "@/lib/wire/library";
import type { HitState, SearchField, SearchHit } from "@/lib/wire/search";
import {
  countFacet,
  type FacetName,
  type Facets,
  FIELD_WORDS,
  NO_FACETS,
  STATE_WORDS,
  threadWords,
  toggleFacet,
} from "../search-facets";
import type { KnownHitFacts } from "../use-hit-facts";
import { DayStrip } from "./day-strip";
import { FacetIcon, type FacetMark, STATE_MARKS } from "./facet-icon";

/** The left column: the facets of the hits, each value with its count, each a filter. */
export function FacetColumn({
  hits,
  facets,
  facts,
  projects,
  growing,
  onChange,
}: {
  hits: readonly SearchHit[];
  facets: Facets;
  facts: KnownHitFacts;
  projects: readonly Project[];
  /** More hits may follow: counts are minimums. */
  growing: boolean;
  onChange: (change: Partial<Facets>) => void;
}) {
  const counts = useMemo(() => {
    const count = <Name extends FacetName>(name: Name) => countFacet(hits, facets, facts, name);
    return {
      fields: count("fields"),
      projects: count("projects"),
      tools: count("tools"),
      threads: count("threads"),
      states: count("states"),
      branches: count("branches"),
      days: count("days"),
    };
  }, [hits, facets, facts]);
  const names = useMemo(() => projectNames(projects), [projects]);
  const ofFacet = (name: Exclude<FacetName, "days">) => ({
    values: counts[name],
    chosen: facets[name],
    growing,
    onToggle: (value: string) => onChange(toggleFacet(facets, name, value)),
  });
  const any = Object.values(facets).some((values: readonly unknown[]) => values.length > 0);
  return (
    <aside
      aria-label="Filter results"
      tabIndex={-1}
      className="overflow-auto border-r border-line-2 bg-panel pb-3 max-md:hidden"
    >
      <FacetGroup
        title="Found in"
        {...ofFacet("fields")}
        nameOf={(field) => FIELD_WORDS[field as SearchField] ?? field}
      />
      <FacetGroup title="Tool input" {...ofFacet("tools")} nameOf={(tool) => tool} />
      <FacetGroup title="Thread" {...ofFacet("threads")} nameOf={threadWords} />
      <FacetGroup
        title="Project"
        {...ofFacet("projects")}
        nameOf={(project) => names.get(project) ?? project}
      />
      <FacetGroup
        title="State"
        {...ofFacet("states")}
        growing={growing || !facts.complete}
        nameOf={(state) => STATE_WORDS[state as HitState] ?? state}
        iconOf={(state) => STATE_MARKS[state as HitState] ?? null}
      />
      <DayStrip days={counts.days} chosen={facets.days} onChange={(days) => onChange({ days })} />
      <FacetGroup title="Branch" {...ofFacet("branches")} nameOf={(branch) => branch} nameClass="font-mono" />
      {any && (
        <button
          type="button"
          className="mx-3 mt-3 text-12 text-accent hover:underline"
          onClick={() => onChange(NO_FACETS)}
        >
          Clear filters
        </button>
      )}
    </aside>
  );
}

const SHOWN = 8;

/** The values of a group before it is unfolded: all if a single one would be left, which takes the room of its button. */
function firstValues<Value>(values: readonly Value[]): readonly Value[] {
  return values.length <= SHOWN + 1 ? values : values.slice(0, SHOWN);
}

/** A facet's values with their counts, those with the most hits first. */
function FacetGroup({
  title,
  values,
  chosen,
  growing,
  nameOf,
  nameClass,
  iconOf,
  onToggle,
}: {
  title: string;
  values: readonly [value: string, count: number][];
  chosen: readonly string[];
  growing: boolean;
  nameOf: (value: string) => string;
  nameClass?: string;
  iconOf?: (value: string) => FacetMark | null;
  onToggle: (value: string) => void;
}) {
  const [all, setAll] = useState(false);
  if (values.length === 0) return null;
  const shown = all ? values : firstValues(values);
  return (
    <fieldset>
      <legend className="px-3 pt-2.5 pb-0.5 text-11 text-fg-3">{title}</legend>
      {shown.map(([value, count]) => (
        <label
          key={value}
          className="grid min-h-6 grid-cols-[14px_minmax(0,1fr)_auto] items-center gap-x-2 px-3 text-12 hover:bg-raised"
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
            className="size-[13px] accent-accent"
          />
          <span
            className={clsx("flex min-w-0 items-center gap-1.5", nameClass)}
            title={labelHidden(nameOf(value))}
          >
            <FacetIcon of={iconOf?.(value) ?? null} />
            <span className="truncate">
              <VisibleText text={shownName(nameOf(value))} />
            </span>
          </span>
          <span className={clsx("text-11 tabular-nums", count === 0 ? "text-fg-3" : "text-fg-2")}>
            {formatCount(count)}
            {growing && "+"}
          </span>
        </label>
      ))}
      {shown.length < values.length && (
        <button
          type="button"
          className="px-3 text-12 text-accent hover:underline"
          onClick={({ currentTarget }) => showInPlaceOf(currentTarget, () => setAll(true))}
        >
          Show {formatCount(values.length - shown.length)} more
        </button>
      )}
    </fieldset>
  );
}

import { clsx } from "clsx";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { showInPlaceOf } from "@/components/ui/main-focus";
import { useNow } from "@/lib/client/use-now";
import {
  formatCount,
  formatDate,
  formatDay,
  formatPlural,
  formatShortDate,
  startOfDay,
} from "@/lib/format/format";
import { projectNames } from "@/lib/format/text";
import type { Project } from "@/lib/wire/library";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { countFacet, type Facets, FIELD_WORDS, toggleFacet } from "./search-facets";

/** The left column: the facets of the hits, each value with its count, each a filter. */
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
  /** More hits may follow: counts are minimums. */
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
  const names = useMemo(() => projectNames(projects), [projects]);
  const any = Object.values(facets).some((values: readonly unknown[]) => values.length > 0);
  return (
    <aside
      aria-label="Filter results"
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
        title="Tool input"
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
        nameOf={(thread) => (thread === "main" ? "Main thread" : "Agents")}
        onToggle={(thread) => onChange(toggleFacet(facets, "threads", thread))}
      />
      <FacetGroup
        title="Project"
        values={counts.projects}
        chosen={facets.projects}
        growing={growing}
        nameOf={(project) => names.get(project) ?? project}
        onToggle={(project) => onChange(toggleFacet(facets, "projects", project))}
      />
      <DayStrip days={counts.days} chosen={facets.days} onChange={(days) => onChange({ days })} />
      {any && (
        <button
          type="button"
          className="mx-3 mt-3 text-12 text-accent hover:underline"
          onClick={() => onChange({ fields: [], projects: [], tools: [], threads: [], days: [] })}
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
  onToggle,
}: {
  title: string;
  values: readonly [value: string, count: number][];
  chosen: readonly string[];
  growing: boolean;
  nameOf: (value: string) => string;
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
          <span className="truncate" title={nameOf(value)}>
            {nameOf(value)}
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

const MAX_DAYS = 28;

/** Hits by day, the latest four weeks with any at the right; a click shows only one day. */
function DayStrip({
  days,
  chosen,
  onChange,
}: {
  days: readonly [day: number, count: number][];
  chosen: readonly number[];
  onChange: (days: number[]) => void;
}) {
  const year = new Date(useNow()).getFullYear();
  const dayWords = (day: number) =>
    new Date(day).getFullYear() === year ? formatShortDate(day) : formatDate(day);
  const known = days.toSorted(([left], [right]) => left - right);
  const last = known.at(-1)?.[0];
  const first = known[0]?.[0];
  if (first === undefined || last === undefined) return null;
  const counts = new Map(days);
  const span = Math.min(MAX_DAYS, Math.round((last - first) / 86_400_000) + 1);
  const shown = Array.from({ length: span }, (_, n) => startOfDay(last, span - 1 - n));
  const most = Math.max(1, ...shown.map((day) => counts.get(day) ?? 0));
  const before = known.filter(([day]) => day < (shown[0] ?? 0)).reduce((sum, [, count]) => sum + count, 0);
  return (
    <fieldset className="px-3">
      <legend className="pt-2.5 pb-1 text-11 text-fg-3">When</legend>
      <div className="flex h-6 items-end gap-px">
        {shown.map((day) => {
          const count = counts.get(day) ?? 0;
          const on = chosen.includes(day);
          const name = formatDay(day);
          return (
            <button
              key={day}
              type="button"
              aria-pressed={on}
              aria-label={`${name}: ${formatPlural(count, "result")}`}
              title={`${name}: ${formatPlural(count, "result")}`}
              disabled={count === 0 && !on}
              onClick={() => onChange(on ? chosen.filter((one) => one !== day) : [day])}
              className="flex h-full max-w-6 min-w-1 flex-1 items-end hover:bg-raised"
            >
              <span
                className={clsx("w-full", on ? "bg-accent" : "bg-fg-3", count === 0 && "bg-line-2")}
                style={{ height: count === 0 ? 1 : `${Math.max(12, (100 * count) / most)}%` }}
              />
            </button>
          );
        })}
      </div>
      <p className="mt-1 flex justify-between text-11 text-fg-2">
        <span>
          {dayWords(shown[0] ?? first)}
          {before > 0 && <span className="text-fg-3"> · {formatPlural(before, "result")} earlier</span>}
        </span>
        {span > 1 && <span>{dayWords(last)}</span>}
      </p>
    </fieldset>
  );
}

/** If there is no left column: the fields of the hits, as buttons in a line that scrolls. */
export function NarrowFacets({
  hits,
  facets,
  onChange,
}: {
  hits: readonly SearchHit[];
  facets: Facets;
  onChange: (change: Partial<Facets>) => void;
}) {
  const fields = useMemo(() => countFacet(hits, facets, "fields"), [hits, facets]);
  if (fields.length < 2 && facets.fields.length === 0) return null;
  return (
    <fieldset
      aria-label="Found in"
      className="hidden min-w-0 flex-none gap-1 overflow-x-auto border-b border-line px-3 py-1.5 max-md:flex print:hidden"
    >
      {fields.map(([field, count]) => (
        <Button
          key={field}
          pressed={facets.fields.includes(field)}
          onClick={() => onChange(toggleFacet(facets, "fields", field))}
        >
          {FIELD_WORDS[field as SearchField] ?? field}
          <span className="text-11 text-fg-3 tabular-nums">{formatCount(count)}</span>
        </Button>
      ))}
    </fieldset>
  );
}

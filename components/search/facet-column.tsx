import { clsx } from "clsx";
import { Ban, ChevronDown, GitBranch, type LucideIcon, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { showWithin } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { showInPlaceOf } from "@/components/ui/main-focus";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { useNow } from "@/lib/client/use-now";
import {
  formatCount,
  formatDate,
  formatDay,
  formatPlural,
  formatShortDate,
  startOfDay,
} from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { projectNames } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { Project } from "@/lib/wire/library";
import type { SearchField, SearchHit, TextState } from "@/lib/wire/search";
import {
  countFacet,
  type FacetName,
  type Facets,
  FIELD_WORDS,
  NO_FACETS,
  STATE_WORDS,
  toggleFacet,
} from "./search-facets";
import type { KnownHitFacts } from "./use-hit-facts";

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
      <FacetGroup
        title="Thread"
        {...ofFacet("threads")}
        nameOf={(thread) => (thread === "main" ? "Main thread" : "Agents")}
      />
      <FacetGroup
        title="Project"
        {...ofFacet("projects")}
        nameOf={(project) => names.get(project) ?? project}
      />
      <FacetGroup
        title="State"
        {...ofFacet("states")}
        growing={growing || !facts.complete}
        nameOf={(state) => STATE_WORDS[state as TextState] ?? state}
        iconOf={(state) => STATE_ICONS[state as TextState] ?? null}
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

const STATE_ICONS: Partial<Record<TextState, { icon: LucideIcon; className: string }>> = {
  error: { icon: X, className: "text-err" },
  denied: { icon: Ban, className: "text-warn" },
  abandoned: { icon: GitBranch, className: "text-fg-3" },
};

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
  iconOf?: (value: string) => { icon: LucideIcon; className: string } | null;
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

function FacetIcon({ of }: { of: { icon: LucideIcon; className: string } | null }) {
  return of && <Icon of={of.icon} small className={clsx("flex-none", of.className)} />;
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

/** The facets with any number of values, which stand in menus where there is no left column. */
const IN_MENUS = [
  { name: "projects", label: "Project" },
  { name: "tools", label: "Tool" },
  { name: "threads", label: "Thread" },
  { name: "branches", label: "Branch" },
] as const satisfies { name: FacetName; label: string }[];

/**
 * If there is no left column: menus of projects, tools, threads and branches, then the fields and states of the hits, as
 * buttons in a line that scrolls, the first chosen one in view.
 */
export function NarrowFacets({
  hits,
  facets,
  facts,
  projects,
  onChange,
}: {
  hits: readonly SearchHit[];
  facets: Facets;
  facts: KnownHitFacts;
  projects: readonly Project[];
  onChange: (change: Partial<Facets>) => void;
}) {
  const fields = useMemo(() => countFacet(hits, facets, facts, "fields"), [hits, facets, facts]);
  const states = useMemo(() => countFacet(hits, facets, facts, "states"), [hits, facets, facts]);
  const menus = useMemo(
    () =>
      IN_MENUS.map(({ name, label }) => ({
        name,
        label,
        values: countFacet(hits, facets, facts, name),
      })).filter(({ name, values }) => values.length > 1 || facets[name].length > 0),
    [hits, facets, facts],
  );
  const names = useMemo(() => projectNames(projects), [projects]);
  const nameOf = (facet: (typeof IN_MENUS)[number]["name"], value: string) => {
    if (facet === "projects") return names.get(value) ?? value;
    if (facet === "threads") return value === "main" ? "Main thread" : "Agents";
    return value;
  };
  const box = useRef<HTMLDivElement>(null);
  const shown = fields.length + states.length + menus.length;
  const hasChosen = [facets.fields, facets.states, ...IN_MENUS.map(({ name }) => facets[name])].some(
    ({ length }) => length > 0,
  );
  useEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (box.current && chosen) showWithin(box.current, chosen);
  }, [hasChosen, shown]);
  if (shown < 2 && !hasChosen) return null;
  return (
    <div
      ref={box}
      className="relative hidden min-w-0 flex-none gap-1 overflow-x-auto border-b border-line px-3 py-1.5 max-md:flex print:hidden"
    >
      {menus.map(({ name, label, values }) => (
        <NarrowMenu
          key={name}
          label={label}
          values={values}
          chosen={facets[name]}
          nameOf={(value) => nameOf(name, value)}
          onToggle={(value) => onChange(toggleFacet(facets, name, value))}
          onClear={() => onChange({ [name]: [] })}
        />
      ))}
      <fieldset aria-label="Found in" className="flex gap-1">
        {fields.map(([field, count]) => (
          <NarrowFacet
            key={field}
            name={FIELD_WORDS[field as SearchField] ?? field}
            count={count}
            chosen={facets.fields.includes(field)}
            onToggle={() => onChange(toggleFacet(facets, "fields", field))}
          />
        ))}
      </fieldset>
      {states.length > 0 && (
        <fieldset aria-label="State" className="flex gap-1">
          {states.map(([state, count]) => (
            <NarrowFacet
              key={state}
              name={STATE_WORDS[state as TextState] ?? state}
              icon={STATE_ICONS[state as TextState] ?? null}
              count={count}
              chosen={facets.states.includes(state)}
              onToggle={() => onChange(toggleFacet(facets, "states", state))}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** A facet as a button with a menu of its values, which may be several; it names the one that is chosen, or how many. */
function NarrowMenu({
  label,
  values,
  chosen,
  nameOf,
  onToggle,
  onClear,
}: {
  label: string;
  values: readonly [value: string, count: number][];
  chosen: readonly string[];
  nameOf: (value: string) => string;
  onToggle: (value: string) => void;
  onClear: () => void;
}) {
  const [only] = chosen;
  const words =
    only === undefined ? label : chosen.length === 1 ? shownName(nameOf(only)) : `${label}: ${chosen.length}`;
  return (
    <Menu
      label={label}
      trigger={
        <Button pressed={chosen.length > 0} className="max-w-44 flex-none">
          <span className="truncate">
            <VisibleText text={words} />
          </span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuChoice chosen={chosen.length === 0} onSelect={onClear}>
        Any {label.toLowerCase()}
      </MenuChoice>
      <MenuLine />
      {values.map(([value, count]) => (
        <MenuChoice
          key={value}
          chosen={chosen.includes(value)}
          aside={formatCount(count)}
          onSelect={() => onToggle(value)}
        >
          <VisibleText text={shownName(nameOf(value))} />
        </MenuChoice>
      ))}
    </Menu>
  );
}

function NarrowFacet({
  name,
  icon = null,
  count,
  chosen,
  onToggle,
}: {
  name: string;
  icon?: { icon: LucideIcon; className: string } | null;
  count: number;
  chosen: boolean;
  onToggle: () => void;
}) {
  return (
    <Button pressed={chosen} onClick={onToggle}>
      <FacetIcon of={icon} />
      {name}
      <span className="text-11 text-fg-3 tabular-nums">{formatCount(count)}</span>
    </Button>
  );
}

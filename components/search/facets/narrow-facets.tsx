import { ChevronDown } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { showWithin } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { formatCount } from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { projectNames } from "@/lib/format/text";
import type { Project } from "@/lib/wire/library";
import type { HitState, SearchField, SearchHit } from "@/lib/wire/search";
import {
  countFacet,
  type FacetName,
  type Facets,
  FIELD_WORDS,
  STATE_WORDS,
  threadWords,
  toggleFacet,
} from "../search-facets";
import type { KnownHitFacts } from "../use-hit-facts";
import { FacetIcon, type FacetMark, STATE_MARKS } from "./facet-icon";

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
    return facet === "threads" ? threadWords(value) : value;
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
              name={STATE_WORDS[state as HitState] ?? state}
              icon={STATE_MARKS[state as HitState] ?? null}
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
  icon?: FacetMark | null;
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

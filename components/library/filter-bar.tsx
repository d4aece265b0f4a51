import { clsx } from "clsx";
import { ArrowDownWideNarrow, Bookmark, ChevronDown, Download, Search, SquareCheck, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useMemo } from "react";
import { toggleSearch, useSavedSearches } from "@/components/annotations/organise";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button, IconButton } from "@/components/ui/button";
import { FIELD_BUTTON, Field, Segmented } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import { focusMain } from "@/components/ui/main-focus";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { Progress } from "@/components/ui/states";
import { isForInputMethod } from "@/lib/client/key-events";
import { useProjects } from "@/lib/client/queries";
import { useHealth } from "@/lib/client/use-health";
import { formatCount, formatPercent } from "@/lib/format/format";
import { folderName, shownName } from "@/lib/format/shown-name";
import { hasFilter, withoutFilter } from "@/lib/query/write-query";
import type { SessionSummary } from "@/lib/wire/library";
import { LIBRARY_COLUMNS, SESSION_SORTS } from "@/lib/wire/library-columns";
import { ExportMenu, exportName } from "./export-menu";
import { type LibraryFilters, useLibraryFilters } from "./library-filters";
import { OWN_PLACES, onTheWayTo } from "./own-places";
import { toggleSelecting, useIsSelecting } from "./selected-sessions";
import { indexingShare, listedSessions } from "./side-column";

/** `""`: none of them, where the words name a time. */
type Time = "any" | "7d" | "30d" | "";

const TIMES: readonly { value: Time; label: string }[] = [
  { value: "any", label: "Any time" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
];
const TIME_FILTERS = ["after", "before"] as const;

/** Words and quick filters over the list; all of them are in the address. */
export function FilterBar({
  fieldRef,
  sessions,
  shown,
  problemId,
}: {
  fieldRef: RefObject<HTMLInputElement | null>;
  sessions: readonly SessionSummary[];
  /** The filtered sessions. */
  shown: readonly SessionSummary[];
  /** The id of the element with the error in the words; null if there is none. */
  problemId: string | null;
}) {
  const [filters, setFilters] = useLibraryFilters();
  // The words may name a time as well.
  const usual: Time = hasFilter(filters.q, TIME_FILTERS) ? "" : "any";
  const setTime = (since: Time) => {
    if (since === "any") setFilters({ since: null, q: withoutFilter(filters.q, TIME_FILTERS) });
    else if (since !== "") setFilters({ since });
  };
  return (
    <search
      aria-label="Filter sessions"
      className="relative flex min-h-tool flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1 text-12 whitespace-nowrap max-sm:min-h-10 max-sm:pt-1.5"
    >
      <WordsField fieldRef={fieldRef} problemId={problemId} />
      <SelectButton />
      <span className="md:hidden">
        <PlaceMenu />
      </span>
      <Segmented
        label="Time"
        className="max-sm:hidden"
        choices={TIMES}
        value={filters.since ?? usual}
        onChange={setTime}
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
      <span className="flex-1 sm:hidden" />
      {/* Where the filters leave no room for both, neither stands in a line alone. */}
      <span className="ml-auto flex items-center gap-2">
        <SortMenu />
        {/* Its place is kept until there are sessions: where it is short, the bar would become two lines with them. */}
        <span className="flex w-control max-sm:hidden">
          <ExportMenu sessions={shown} trigger={<IconButton icon={Download} label={exportName(shown)} />} />
        </span>
      </span>
      <NarrowIndexing />
    </search>
  );
}

/** The words of the filter, in the query language. Enter and Escape lead to the list, Escape without the words. */
function WordsField({
  fieldRef,
  problemId,
}: {
  fieldRef: RefObject<HTMLInputElement | null>;
  problemId: string | null;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys of an input method accept or dismiss a suggestion.
    if (isForInputMethod(event.nativeEvent) || (event.key !== "Escape" && event.key !== "Enter")) return;
    if (event.key === "Escape") setFilters({ q: "" });
    focusMain();
  };
  return (
    <Field
      ref={fieldRef}
      label="Filter by title, prompt, branch or path"
      placeholder="Filter by title, prompt, branch, path"
      icon={Search}
      type="search"
      // It takes what the others leave, and they wrap where that would be less than 108 px; on a phone all but one do.
      className="max-w-[340px] flex-[1000_0_108px] max-lg:max-w-[240px] max-sm:max-w-none max-sm:basis-[calc(100%-3.5rem)]"
      aria-invalid={problemId !== null}
      aria-describedby={problemId ?? undefined}
      value={filters.q}
      onChange={(event) => setFilters({ q: event.target.value })}
      onKeyDown={leave}
    >
      {filters.q ? (
        <>
          <SaveSearch query={filters.q} />
          <button
            type="button"
            aria-label="Clear filter"
            className={FIELD_BUTTON}
            onClick={() => {
              setFilters({ q: "" });
              fieldRef.current?.focus();
            }}
          >
            <Icon of={X} small />
          </button>
        </>
      ) : (
        <span className="max-sm:hidden">
          <Kbd>/</Kbd>
        </span>
      )}
    </Field>
  );
}

/** Saves the current search, or removes it from the saved ones in the left column. */
function SaveSearch({ query }: { query: string }) {
  const saved = useSavedSearches().data ?? [];
  const isSaved = saved.some(({ body }) => body === query.trim());
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={isSaved ? "Forget this search" : "Save this search"}
      title={isSaved ? "Forget this search" : "Save this search"}
      className={clsx(FIELD_BUTTON, isSaved && "text-accent! [&_svg]:fill-current")}
      onClick={() => void toggleSearch(query)}
    >
      <Icon of={Bookmark} small />
    </button>
  );
}

/** Has rows be selected by a tap, for whoever has no key for it. */
function SelectButton() {
  return (
    <IconButton
      icon={SquareCheck}
      label="Select sessions"
      pressed={useIsSelecting()}
      className="sm:not-pointer-coarse:hidden"
      onClick={toggleSelecting}
    />
  );
}

/** If there is no left column, the indexing is shown here. */
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

const MAX_VALUES = 60;

/** A menu of the values of the loaded sessions, the most frequent first. */
function FacetMenu({
  name,
  label,
  sessions,
  valuesOf,
}: {
  name: "branch" | "model";
  label: string;
  sessions: readonly SessionSummary[];
  valuesOf: (session: SessionSummary) => readonly string[];
}) {
  const [filters, setFilters] = useLibraryFilters();
  const chosen = filters[name];
  const values = useMemo(() => countValues(sessions, valuesOf), [sessions, valuesOf]);
  return (
    <Menu
      label={label}
      trigger={
        <Button
          kind="quiet"
          pressed={chosen !== null}
          // Until there is room for it, words (`branch:…`) stand for one that is not chosen.
          className={clsx("max-w-56 max-sm:hidden", chosen === null && "max-[768px]:hidden")}
        >
          <span className="truncate">
            {chosen === null ? label : <VisibleText text={shownName(chosen)} />}
          </span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuChoice chosen={chosen === null} onSelect={() => setFilters({ [name]: null })}>
        Any {label.toLowerCase()}
      </MenuChoice>
      <MenuLine />
      {values.slice(0, MAX_VALUES).map(([value, count]) => (
        <MenuChoice
          key={value}
          chosen={chosen === value}
          aside={formatCount(count)}
          onSelect={() => setFilters({ [name]: value })}
        >
          <VisibleText text={shownName(value)} />
        </MenuChoice>
      ))}
      {values.length === 0 ? <p className="px-2 py-1 text-12 text-fg-3">None</p> : null}
    </Menu>
  );
}

function countValues(
  sessions: readonly SessionSummary[],
  valuesOf: (session: SessionSummary) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const session of sessions) {
    for (const value of valuesOf(session)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

/** The projects and the lists of the left column, if the page is too narrow for that. */
function PlaceMenu() {
  const [filters, setFilters] = useLibraryFilters();
  const projects = useProjects().data ?? [];
  const chosen = projects.find(({ id }) => id === filters.project);
  const own = chosen ? undefined : OWN_PLACES.find(({ isHere }) => isHere(filters));
  const goTo = (to: Partial<LibraryFilters>) =>
    setFilters(onTheWayTo({ project: null, running: false, ...to }, filters), { history: "push" });
  return (
    <Menu
      label="Project or list"
      trigger={
        <Button className="max-w-44 max-sm:max-w-36">
          <span className="truncate">
            <VisibleText text={chosen ? folderName(chosen.path) : (own?.label ?? "All projects")} />
          </span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuChoice
        chosen={!chosen && !own}
        onSelect={() => (own ? goTo({ q: "" }) : setFilters({ project: null }))}
      >
        All projects
      </MenuChoice>
      {OWN_PLACES.map((place) => (
        <MenuChoice key={place.label} chosen={place === own} onSelect={() => goTo(place.filters)}>
          {place.label}
        </MenuChoice>
      ))}
      <MenuLine />
      {[...projects.filter((one) => !one.marks?.hidden), ...projects.filter((one) => one.marks?.hidden)].map(
        (project) => (
          <MenuChoice
            key={project.id}
            chosen={project === chosen}
            aside={project.marks?.hidden ? "hidden" : formatCount(listedSessions(project))}
            onSelect={() => setFilters({ project: project.id })}
          >
            <VisibleText text={shownName(project.path)} />
          </MenuChoice>
        ),
      )}
    </Menu>
  );
}

/** The order of the list: the largest first; titles from A. */
function SortMenu() {
  const [{ sort }, setFilters] = useLibraryFilters();
  return (
    <Menu
      label="Order"
      align="end"
      trigger={
        <Button kind="quiet" aria-label={`Order: ${LIBRARY_COLUMNS[sort].label}`}>
          {/* The head of the list says it too, which a phone has not: without the words the filters stand in one line, also
              where the left column has just come beside them. */}
          <Icon
            of={ArrowDownWideNarrow}
            small
            className="hidden max-[820px]:sm:block md:max-[1040px]:block"
          />
          <span className="max-[820px]:sm:hidden md:max-[1040px]:hidden">{LIBRARY_COLUMNS[sort].label}</span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      {SESSION_SORTS.map((one) => (
        <MenuChoice key={one} chosen={one === sort} onSelect={() => setFilters({ sort: one })}>
          {LIBRARY_COLUMNS[one].label}
        </MenuChoice>
      ))}
    </Menu>
  );
}

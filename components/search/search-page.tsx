"use client";

import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { PageMenu } from "@/components/share/page-menu";
import { Segmented } from "@/components/ui/field";
import { Foot, type FootKeys, Frame } from "@/components/ui/frame/frame";
import { listPlace, useKeptGroups } from "@/components/ui/list-place";
import { LibraryLink } from "@/components/ui/page-link";
import { ProblemLines } from "@/components/ui/problem-lines";
import { useProjectsById } from "@/lib/client/queries";
import { useDebounced } from "@/lib/client/use-debounced";
import { useHealth } from "@/lib/client/use-health";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount, formatPlural } from "@/lib/format/format";
import { toggled } from "@/lib/format/lists";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { parseQuery } from "@/lib/query/parse-query";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { QueryProblem } from "@/lib/wire/search";
import { isAnswerTo } from "./awaited-enter";
import type { Vocabulary } from "./completion";
import { FacetColumn } from "./facets/facet-column";
import { NarrowFacets } from "./facets/narrow-facets";
import { useHitCursor } from "./hit-cursor";
import { HitList, type HitListHandle } from "./hit-list";
import { QueryField } from "./query-field";
import { type Facets, NO_FACETS, passFacets, useSearchUrl } from "./search-facets";
import { type GroupState, groupHits, type HitItem, hitOf, hitsByTime, withoutRepeats } from "./search-groups";
import { SearchState } from "./search-state";
import { SearchStatus } from "./search-status";
import { useHitFacts } from "./use-hit-facts";
import { type PageSearch, useSearch } from "./use-search";
import { useSearchSessions, useSearchVocabulary } from "./use-search-vocabulary";

const BY = [
  { value: "session", label: "By session" },
  { value: "time", label: "By time" },
] as const;

/** All matches of a query, streamed as they are found. The page's state is in the address. */
export function SearchPage() {
  const [{ q }, setUrl] = useSearchUrl();
  const { list: sessions, byId } = useSearchSessions();
  const { projects } = useProjectsById();
  const vocabulary = useSearchVocabulary(sessions);
  const field = useRef<HTMLInputElement>(null);
  const hitList = useRef<HitListHandle>(null);
  const listed = useListedHits(byId);
  const { search, hits, passed, items, facets, facts } = listed;
  const cursor = useHitCursor({
    list: listed.asked,
    items,
    search,
    query: q,
    reveal: (index) => hitList.current?.reveal(index),
    expand: listed.expand,
    focusField: () => field.current?.select(),
  });

  usePageTitle(q);
  useFieldFocus(field);
  const problems = problemsOf(search, q);
  const hasColumn = useHasColumn(q, listed);
  const narrowing = { hits, facets, facts, projects, onChange: setUrl };
  return (
    <Frame
      top={<SearchTop field={field} cursor={cursor} vocabulary={vocabulary} problems={problems} />}
      foot={<SearchFoot cursor={cursor} items={items} hits={passed.length} />}
      bodyClass={
        hasColumn
          ? "grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
          : "grid-cols-[minmax(0,1fr)]"
      }
    >
      {hasColumn && <FacetColumn {...narrowing} growing={search.phase === "running"} />}
      <main className="flex min-h-0 flex-col">
        <SearchStatus
          search={search}
          results={{ all: hits.length, passed: passed.length, sessions: listed.sessionCount }}
        />
        <NarrowFacets {...narrowing} />
        <ProblemLines query={q} problems={problems} />
        {items.length > 0 ? (
          // Hits of another query, or in another order, are another list, which begins at its own position.
          <ListedHits key={listed.list} listed={listed} sessions={byId} cursor={cursor} listRef={hitList} />
        ) : (
          <SearchState
            search={search}
            query={q}
            filtered={search.hits.length > 0}
            waiting={facets.states.length > 0 && !facts.complete}
            onQuery={(next) => {
              setUrl({ q: next });
              field.current?.focus();
            }}
            onClearFacets={() => setUrl(NO_FACETS)}
          />
        )}
      </main>
    </Frame>
  );
}

/**
 * Whether the column of facets is there: with a query, unless that has found nothing to choose from. While an answer is
 * awaited it stays as it was with the one before, so that the list stands still.
 */
function useHasColumn(q: string, { search, hits, facets }: ReturnType<typeof useListedHits>): boolean {
  const [stays, setStays] = useState(true);
  const chosen = Object.values(facets).some((values: readonly unknown[]) => values.length > 0);
  const isAwaited = search.phase === "idle" || search.phase === "running";
  const has = hits.length > 0 || chosen || (isAwaited && stays);
  if (stays !== has) setStays(has);
  return has && (q.trim() !== "" || hits.length > 0);
}

/** The search that the address asks for, and what the page lists of its hits, under which name and in which groups. */
function useListedHits(byId: ReadonlyMap<SessionId, SessionSummary>) {
  const [url] = useSearchUrl();
  const search = useSearch({ q: useDebounced(url.q, 120) });
  const names = useListNames(search, url);
  const { groups, fold, expand } = useGroups(names.list);
  const facets = useFacets(url);
  const shown = useShownHits(search, { by: url.by, facets, groups, byId });
  return { search, facets, fold, expand, ...names, ...shown };
}

/** The list of hits, with the selected one. */
function ListedHits({
  listed: { search, list, items, hasMore, fold, expand },
  sessions,
  cursor,
  listRef,
}: {
  listed: ReturnType<typeof useListedHits>;
  sessions: ReadonlyMap<SessionId, SessionSummary>;
  cursor: ReturnType<typeof useHitCursor>;
  listRef: RefObject<HitListHandle | null>;
}) {
  const [{ by }] = useSearchUrl();
  const { projectById } = useProjectsById();
  return (
    <HitList
      ref={listRef}
      list={list}
      complete={search.phase !== "running" && !hasMore}
      more={hasMore ? search.more : undefined}
      items={items}
      current={cursor.index}
      focused={cursor.hasMoved}
      entries={{
        query: search.of,
        sessions,
        projects: projectById,
        bySession: by === "session",
        onFold: fold,
        onMore: expand,
      }}
      onChoose={cursor.choose}
    />
  );
}

type SearchUrl = ReturnType<typeof useSearchUrl>[0];

/** What of the hits is shown, as the address says. */
function useFacets({ fields, projects, tools, threads, states, branches, days }: SearchUrl): Facets {
  return useMemo(
    () => ({ fields, projects, tools, threads, states, branches, days }),
    [fields, projects, tools, threads, states, branches, days],
  );
}

/**
 * The names of the list of hits that is asked for, by which a reader who comes back to it is at their former position,
 * and of the one that is shown: until the first hit arrives, the previous one.
 */
function useListNames(
  search: PageSearch,
  { q, by, fields, projects, tools, threads, states, branches, days }: SearchUrl,
): { asked: string; list: string } {
  const asked = JSON.stringify([q.trim(), by, fields, projects, tools, threads, states, branches, days]);
  const [list, setList] = useState(asked);
  if (list !== asked && isAnswerTo(search, q)) setList(asked);
  return { asked, list };
}

function usePageTitle(q: string): void {
  useEffect(() => {
    document.title = q ? `${labelHidden(q)} · Backscroll` : "Search · Backscroll";
  }, [q]);
}

/** Puts the focus into the field of a page without a query: it is for typing, and one with a query for reading. */
function useFieldFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    if (new URL(window.location.href).searchParams.get("q") === null) field.current?.focus();
  }, [field]);
}

/**
 * What is wrong with a query. Errors are shown while the reader types; those that only the server can find, such as an
 * invalid expression, after that.
 */
function problemsOf(search: PageSearch, q: string): readonly QueryProblem[] {
  return isAnswerTo(search, q) && search.problems.length > 0 ? search.problems : parseQuery(q).errors;
}

/**
 * What the page lists of a search's hits: those that pass the facets, in groups or by time. `hasMore`: the search goes
 * on when it is asked to.
 */
function useShownHits(
  search: PageSearch,
  {
    by,
    facets,
    groups,
    byId,
  }: {
    by: (typeof BY)[number]["value"];
    facets: Facets;
    groups: GroupState;
    byId: ReadonlyMap<SessionId, SessionSummary>;
  },
) {
  const narrow = useNarrow();
  const hits = useMemo(() => withoutRepeats(search.hits, (id) => byId.get(id)?.title), [search.hits, byId]);
  const facts = useHitFacts(hits, byId, search.phase === "running");
  const passed = useMemo(() => passFacets(hits, facets, facts), [hits, facets, facts]);
  const items = useMemo(
    () =>
      by === "session"
        ? groupHits(passed, groups, { of: (id) => byId.get(id), seen: narrow ? 36 : 80 })
        : hitsByTime(passed),
    [by, passed, groups, byId, narrow],
  );
  const sessionCount = useMemo(() => new Set(passed.map(({ sessionId }) => sessionId)).size, [passed]);
  const hasMore = search.phase === "done" && search.nextCursor !== null && !search.overflow;
  const { more } = search;
  const passesNone = passed.length === 0 && (facets.states.length === 0 || facts.complete);
  useEffect(() => {
    // A list asks for more at its end. Without one nothing would: hits that pass the facets may come later.
    if (hasMore && passesNone) more();
  }, [hasMore, passesNone, more]);
  return { hits, facts, passed, items, hasMore, sessionCount };
}

/** The query, and in what order its results are listed. */
function SearchTop({
  field,
  cursor,
  vocabulary,
  problems,
}: {
  field: RefObject<HTMLInputElement | null>;
  cursor: ReturnType<typeof useHitCursor>;
  vocabulary: Vocabulary;
  problems: readonly QueryProblem[];
}) {
  const [{ q, by }, setUrl] = useSearchUrl();
  return (
    <>
      <LibraryLink />
      <h1 className="font-semibold max-sm:sr-only">Search</h1>
      <QueryField
        fieldRef={field}
        label="Search every session"
        placeholder='Words, "a phrase", -not, tool:Bash, in:output'
        className="max-w-[720px] flex-1"
        value={q}
        onChange={(next) => setUrl({ q: next })}
        onKeyDown={cursor.onFieldKey}
        onBlur={cursor.onFieldLeft}
        vocabulary={vocabulary}
        problems={problems}
      />
      <span className="flex-1 max-md:hidden" />
      <Segmented
        label="Order"
        className="max-md:hidden"
        choices={BY}
        value={by}
        onChange={(next) => setUrl({ by: next })}
      />
      <PageMenu />
    </>
  );
}

/**
 * The folded and expanded sessions, which stay so in the lists that follow, of other facets or words, and are kept with
 * the one that is shown for coming back to it.
 */
function useGroups(list: string) {
  const [groups, setGroups] = useState((): GroupState => {
    const { folded, expanded } = listPlace("search", list).groups;
    return { folded: new Set(folded), expanded: new Set(expanded) };
  });
  const kept = useMemo(() => ({ folded: [...groups.folded], expanded: [...groups.expanded] }), [groups]);
  useKeptGroups("search", list, kept);
  return {
    groups,
    /** Folds a session, or unfolds it. */
    fold: (sessionId: SessionId) => setGroups((old) => ({ ...old, folded: toggled(old.folded, sessionId) })),
    /** Shows all hits of a session. */
    expand: (sessionId: SessionId) =>
      setGroups((old) => ({ ...old, expanded: new Set(old.expanded).add(sessionId) })),
  };
}

const KEYS: FootKeys = [
  [["j", "k"], "result"],
  [["J", "K"], "session"],
  [["Enter"], "open at the result"],
  [["mod+c"], "copy its text"],
  [["/"], "query"],
  [["?"], "all keys"],
];

/** The line at the foot: the selected hit, the keys, the state of the index. */
function SearchFoot({
  cursor,
  items,
  hits,
}: {
  cursor: ReturnType<typeof useHitCursor>;
  items: readonly HitItem[];
  hits: number;
}) {
  const index = cursor.hitNumber;
  const snippet = (!cursor.hasMoved && hitOf(items[cursor.index])?.snippet) || null;
  const indexing = useHealth().data?.indexing;
  return (
    <Foot
      left={
        <>
          {/* Always there, so that screen readers announce what appears in it; the focus may stay in the field. */}
          <span role="status">
            {hits > 0 && index !== null && (
              <>
                {`result ${formatCount(index)} of ${formatCount(hits)}`}
                {snippet !== null && <span className="sr-only">: {snippet}</span>}
              </>
            )}
          </span>
        </>
      }
      keys={KEYS}
      right={
        indexing ? (
          <span>
            {indexing.done
              ? `${formatPlural(indexing.filesTotal, "file")} indexed`
              : `indexed ${formatCount(indexing.filesDone)} of ${formatPlural(indexing.filesTotal, "file")}`}
          </span>
        ) : null
      }
    />
  );
}

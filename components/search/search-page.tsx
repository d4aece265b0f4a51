"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { PageMenu } from "@/components/share/page-menu";
import { Segmented } from "@/components/ui/field";
import { Foot, type FootKeys, Frame } from "@/components/ui/frame";
import { listPlace, useKeptGroups } from "@/components/ui/list-place";
import { LibraryLink } from "@/components/ui/page-link";
import { ProblemLines } from "@/components/ui/problem-lines";
import { Progress, StateBar } from "@/components/ui/states";
import { useProjects } from "@/lib/client/queries";
import { useDebounced } from "@/lib/client/use-debounced";
import { useHealth } from "@/lib/client/use-health";
import { useNarrow } from "@/lib/client/use-media";
import {
  formatBytes,
  formatBytesOf,
  formatCount,
  formatDuration,
  formatPercent,
  formatPlural,
} from "@/lib/format/format";
import { toggled } from "@/lib/format/lists";
import { parseQuery } from "@/lib/query/parse-query";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import type { SearchProgress } from "@/lib/wire/search";
import { isAnswerTo } from "./awaited-enter";
import { FacetColumn, NarrowFacets } from "./facet-column";
import { useHitCursor } from "./hit-cursor";
import { HitList, type HitListHandle } from "./hit-list";
import { QueryField } from "./query-field";
import { type Facets, passFacets, useSearchUrl } from "./search-facets";
import { type GroupState, groupHits, hitOf, hitsByTime, withoutRepeats } from "./search-groups";
import { SearchState } from "./search-state";
import { type PageSearch, type SearchRun, useSearch } from "./use-search";
import { useSearchSessions, useSearchVocabulary } from "./use-search-vocabulary";

const NO_FACETS: Facets = { fields: [], projects: [], tools: [], threads: [], days: [] };

const BY = [
  { value: "session", label: "By session" },
  { value: "time", label: "By time" },
] as const;

/** All matches of a query, streamed as they are found. The page's state is in the address. */
export function SearchPage() {
  const [url, setUrl] = useSearchUrl();
  const { q, by, fields, projects: chosenProjects, tools, threads, days } = url;
  const search = useSearch({ q: useDebounced(q, 120) });
  const { list: sessions, byId } = useSearchSessions();
  const projects = useProjects().data;
  const projectById = useMemo(
    () => new Map<ProjectId, Project>((projects ?? []).map((project) => [project.id, project])),
    [projects],
  );
  const vocabulary = useSearchVocabulary(sessions);
  const narrow = useNarrow();
  const field = useRef<HTMLInputElement>(null);
  const hitList = useRef<HitListHandle>(null);
  /** Identifies the requested list of hits: a reader who comes back to it is at their former position. */
  const asked = JSON.stringify([q.trim(), by, fields, chosenProjects, tools, threads, days]);
  // Until its first hit arrives, the previous list is shown.
  const [list, setList] = useState(asked);
  if (list !== asked && isAnswerTo(search, q)) setList(asked);
  const [groups, changeGroups] = useGroups(list);

  const facets = useMemo(
    () => ({ fields, projects: chosenProjects, tools, threads, days }),
    [fields, chosenProjects, tools, threads, days],
  );
  const hits = useMemo(() => withoutRepeats(search.hits, (id) => byId.get(id)?.title), [search.hits, byId]);
  const passed = useMemo(() => passFacets(hits, facets), [hits, facets]);
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
  const passesNone = passed.length === 0;
  useEffect(() => {
    // A list asks for more at its end. Without one nothing would: hits that pass the facets may come later.
    if (hasMore && passesNone) more();
  }, [hasMore, passesNone, more]);
  const expand = (sessionId: SessionId) =>
    changeGroups((old) => ({ ...old, expanded: new Set(old.expanded).add(sessionId) }));
  const cursor = useHitCursor({
    list: asked,
    items,
    search,
    query: q,
    reveal: (index) => hitList.current?.reveal(index),
    expand,
    focusField: () => field.current?.select(),
  });

  useEffect(() => {
    document.title = q ? `${q} · Backscroll` : "Search · Backscroll";
  }, [q]);
  useEffect(() => {
    // A page without a query is for typing; with one, for reading.
    if (new URL(window.location.href).searchParams.get("q") === null) field.current?.focus();
  }, []);

  // Errors are shown while the reader types; those that only the server can find, such as an invalid expression, after
  // that.
  const problems =
    isAnswerTo(search, q) && search.problems.length > 0 ? search.problems : parseQuery(q).errors;
  return (
    <Frame
      top={
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
          {passed.length > 0 && (
            <span className="text-12 text-fg-2 tabular-nums max-md:hidden">
              {passed.length < hits.length && `${formatCount(passed.length)} of `}
              {formatPlural(hits.length, "result")} in {formatPlural(sessionCount, "session")}
            </span>
          )}
          <Segmented
            label="Order"
            className="max-md:hidden"
            choices={BY}
            value={by}
            onChange={(next) => setUrl({ by: next })}
          />
          <PageMenu />
        </>
      }
      foot={
        <SearchFoot
          index={cursor.hitNumber}
          hits={passed.length}
          snippet={(!cursor.hasMoved && hitOf(items[cursor.index])?.snippet) || null}
        />
      }
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <FacetColumn
        hits={hits}
        facets={facets}
        projects={projects ?? []}
        growing={search.phase === "running"}
        onChange={setUrl}
      />
      <main className="flex min-h-0 flex-col">
        <SearchStatus search={search} results={hits.length} />
        <NarrowFacets hits={hits} facets={facets} onChange={setUrl} />
        <ProblemLines query={q} problems={problems} />
        {items.length > 0 ? (
          <HitList
            // Hits of another query, or in another order, are another list, which begins at its own position.
            key={list}
            ref={hitList}
            list={list}
            complete={search.phase !== "running" && !hasMore}
            more={hasMore ? search.more : undefined}
            items={items}
            current={cursor.index}
            focused={cursor.hasMoved}
            query={search.of}
            sessions={byId}
            projects={projectById}
            bySession={by === "session"}
            onChoose={cursor.choose}
            onFold={(sessionId) =>
              changeGroups((old) => ({ ...old, folded: toggled(old.folded, sessionId) }))
            }
            onMore={expand}
          />
        ) : (
          <SearchState
            search={search}
            query={q}
            filtered={search.hits.length > 0}
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
 * The folded and expanded sessions, which stay so in the lists that follow, of other facets or words, and are kept with
 * the one that is shown for coming back to it.
 */
function useGroups(list: string): [GroupState, (change: (old: GroupState) => GroupState) => void] {
  const [groups, setGroups] = useState((): GroupState => {
    const { folded, expanded } = listPlace("search", list).groups;
    return { folded: new Set(folded), expanded: new Set(expanded) };
  });
  const kept = useMemo(() => ({ folded: [...groups.folded], expanded: [...groups.expanded] }), [groups]);
  useKeptGroups("search", list, kept);
  return [groups, setGroups];
}

const KEYS: FootKeys = [
  [["j", "k"], "result"],
  [["J", "K"], "session"],
  [["Enter"], "open at the result"],
  [["/"], "query"],
  [["?"], "all keys"],
];

/** The line at the foot: the selected hit, the keys, the state of the index. */
function SearchFoot({
  index,
  hits,
  snippet,
}: {
  index: number | null;
  hits: number;
  snippet: string | null;
}) {
  const indexing = useHealth().data?.indexing;
  return (
    <Foot
      left={
        <>
          {hits > 0 && index === null && <span>{formatPlural(hits, "result")}</span>}
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

/** How far the search is, and whether what is shown is all there is. */
function SearchStatus({ search, results }: { search: PageSearch; results: number }) {
  const indexing = useHealth().data?.indexing;
  const { phase, progress } = search;
  if (phase === "idle" || (phase === "failed" && search.hits.length === 0)) return null;
  const running = phase === "running";
  return (
    <>
      <div className="relative flex min-h-7 flex-none items-center gap-3 border-b border-line px-3 text-12">
        <span role="status" className="min-w-0 flex-1 truncate text-fg-2 tabular-nums">
          {phase === "failed"
            ? `Search failed: ${search.error?.message ?? ""} The results so far are below.`
            : formatSearchRun(search, results)}
        </span>
        {running && (
          <button type="button" className="text-accent hover:underline" onClick={search.stop}>
            Stop
          </button>
        )}
        {!running && search.nextCursor !== null && !search.overflow && (
          <button type="button" className="text-accent hover:underline" onClick={search.more}>
            Load more
          </button>
        )}
        {!running && search.nextCursor === null && (phase !== "done" || !search.complete) && (
          <button type="button" className="text-accent hover:underline" onClick={search.again}>
            Search again
          </button>
        )}
        {running && progress && (
          <span className="absolute inset-x-0 -bottom-px">
            <Progress share={progressShare(progress)} label="Search" />
          </span>
        )}
      </div>
      {indexing && !indexing.done && (
        <StateBar tone="notice">
          Indexing: {formatCount(indexing.filesDone)} of {formatPlural(indexing.filesTotal, "file")}. Until it
          is done, searches read more of the logs and take longer.
        </StateBar>
      )}
    </>
  );
}

/** The progress of a search, in words that do not promise more than was searched. `results`: the listed ones. */
export function formatSearchRun(
  { phase, complete, hits, nextCursor, overflow, progress, tookMs }: Omit<SearchRun, "problems" | "error">,
  results = hits.length,
): string {
  const found = formatPlural(results, "result");
  const took = tookMs === null ? "" : ` in ${formatDuration(tookMs)}`;
  const far = progress ? ` · searched ${farWords(progress)}` : "";
  if (overflow) return `First ${found} · add a word to narrow the search`;
  if (phase === "running") return progress ? `${found} so far${far}` : "Searching…";
  if (phase === "stopped") return `Stopped · ${found} so far${far}`;
  if (nextCursor !== null) return `First ${found} · more available`;
  if (!complete) return `Incomplete · ${found} so far${far}`;
  return `${found}${progress ? ` · searched ${formatBytes(progress.bytesTotal)}${took}` : ""}`;
}

/** `4.7 of 7.8 GB (61 %) · 120 of 2,310 files`. */
function farWords({ bytesDone, bytesTotal, filesDone, filesTotal }: SearchProgress): string {
  return `${formatBytesOf(bytesDone, bytesTotal)} (${formatPercent(progressShare({ bytesDone, bytesTotal }))}) · ${formatCount(filesDone)} of ${formatPlural(filesTotal, "file")}`;
}

/** 0 to 1; nothing to look at is all done. */
function progressShare({ bytesDone, bytesTotal }: Pick<SearchProgress, "bytesDone" | "bytesTotal">): number {
  return bytesTotal > 0 ? bytesDone / bytesTotal : 1;
}

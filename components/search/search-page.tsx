"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { Frame } from "@/components/ui/frame";
import { LibraryLink } from "@/components/ui/library-link";
import { ProblemLines } from "@/components/ui/problem-lines";
import { Segmented } from "@/components/ui/segmented";
import { toggled } from "@/lib/client/toggled";
import { useDebounced } from "@/lib/client/use-debounced";
import { useNarrow } from "@/lib/client/use-media";
import { useProjects } from "@/lib/client/use-projects";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { parseQuery } from "@/lib/query/parse-query";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import { FacetColumn } from "./facet-column";
import { HitList, type HitListHandle } from "./hit-list";
import { NarrowFacets } from "./narrow-facets";
import { QueryField } from "./query-field";
import { type Facets, passFacets } from "./search-facets";
import { SearchFoot } from "./search-foot";
import { type GroupState, groupHits, hitsByTime } from "./search-groups";
import { SearchState } from "./search-state";
import { SearchStatus } from "./search-status";
import { useSearchUrl } from "./search-url";
import { useHitCursor } from "./use-hit-cursor";
import { useSearch } from "./use-search";
import { useSearchSessions } from "./use-search-sessions";
import { useSearchVocabulary } from "./use-search-vocabulary";

const NO_FACETS: Facets = { fields: [], projects: [], tools: [], threads: [], days: [] };

const BY = [
  { value: "session", label: "By session" },
  { value: "time", label: "By time" },
] as const;

/** Every place where a query is found, streamed as it is found. Its state is in the address. */
export function SearchPage() {
  const [url, setUrl] = useSearchUrl();
  const { q, by, fields, projects: chosenProjects, tools, threads, days } = url;
  const search = useSearch({ q: useDebounced(q, 120) });
  const { list, byId } = useSearchSessions();
  const projects = useProjects().data;
  const projectById = useMemo(
    () => new Map<ProjectId, Project>((projects ?? []).map((project) => [project.id, project])),
    [projects],
  );
  const vocabulary = useSearchVocabulary(list);
  const narrow = useNarrow();
  const field = useRef<HTMLInputElement>(null);
  const hitList = useRef<HitListHandle>(null);
  const [groups, setGroups] = useState<GroupState>({ folded: new Set(), expanded: new Set() });

  const facets = useMemo(
    () => ({ fields, projects: chosenProjects, tools, threads, days }),
    [fields, chosenProjects, tools, threads, days],
  );
  const passed = useMemo(() => passFacets(search.hits, facets), [search.hits, facets]);
  const items = useMemo(
    () =>
      by === "session"
        ? groupHits(passed, groups, { of: (id) => byId.get(id), seen: narrow ? 36 : 80 })
        : hitsByTime(passed),
    [by, passed, groups, byId, narrow],
  );
  const sessionCount = useMemo(() => new Set(passed.map(({ sessionId }) => sessionId)).size, [passed]);
  const expand = (sessionId: SessionId) =>
    setGroups((old) => ({ ...old, expanded: new Set(old.expanded).add(sessionId) }));
  const cursor = useHitCursor({
    items,
    query: q,
    reveal: (index) => hitList.current?.reveal(index),
    expand,
    focusField: () => field.current?.select(),
  });

  useEffect(() => {
    document.title = q ? `${q} · Backscroll` : "Search · Backscroll";
  }, [q]);
  useEffect(() => {
    // A page without a query is there to be typed into; with one, to be read.
    if (new URL(window.location.href).searchParams.get("q") === null) field.current?.focus();
  }, []);

  // What is wrong shows while one types; what only the server can tell, such as a bad expression, after it.
  const problems =
    search.of === q.trimEnd() && search.problems.length > 0 ? search.problems : parseQuery(q).errors;
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
            vocabulary={vocabulary}
            problems={problems}
          />
          <span className="flex-1 max-md:hidden" />
          {passed.length > 0 && (
            <span className="text-12 text-fg-2 tabular-nums max-md:hidden">
              {passed.length < search.hits.length && `${formatCount(passed.length)} of `}
              {formatPlural(search.hits.length, "hit")} in {formatPlural(sessionCount, "session")}
            </span>
          )}
          <Segmented
            label="Order"
            className="max-md:hidden"
            choices={BY}
            value={by}
            onChange={(next) => setUrl({ by: next })}
          />
        </>
      }
      foot={<SearchFoot index={cursor.hitNumber} hits={passed.length} />}
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <FacetColumn
        hits={search.hits}
        facets={facets}
        projects={projects ?? []}
        growing={search.phase === "running"}
        onChange={setUrl}
      />
      <main className="flex min-h-0 flex-col">
        <SearchStatus search={search} />
        <NarrowFacets hits={search.hits} facets={facets} onChange={setUrl} />
        <ProblemLines query={q} problems={problems} />
        {items.length > 0 ? (
          <HitList
            ref={hitList}
            items={items}
            current={cursor.index}
            query={search.of}
            sessions={byId}
            projects={projectById}
            bySession={by === "session"}
            onFold={(sessionId) => setGroups((old) => ({ ...old, folded: toggled(old.folded, sessionId) }))}
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

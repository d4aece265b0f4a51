import { useMemo } from "react";
import { withoutRepeats } from "@/components/search/search-groups";
import { isOfThisSession } from "@/components/search/search-tokens";
import { type PageSearch, useSearch } from "@/components/search/use-search";
import { useSearchSessions } from "@/components/search/use-search-vocabulary";
import { useIsGuest } from "@/lib/client/connection/token";
import { listCommands, useCommandChanges } from "@/lib/client/key-registry";
import { useProjects } from "@/lib/client/queries";
import { useDebounced } from "@/lib/client/use-debounced";
import { projectNames } from "@/lib/format/text";
import type { SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary } from "@/lib/wire/library";
import { filterByNames, paletteCommands, paletteProjects, pickHits } from "./palette-entries";

const SESSIONS = 7;
const HITS_HERE = 5;
const HITS_ELSEWHERE = 8;
/** One talkative session shall not hide the others. */
const HITS_A_SESSION = 2;

const NO_PROJECTS: readonly Project[] = [];
const NO_SESSIONS: readonly SessionSummary[] = [];

/**
 * The entries of the palette. Sessions, projects and commands are filtered here, within the frame of the key press;
 * hits follow from the server, and until the first of them arrive those of the query before stay.
 */
export function usePalette(query: string, here: SessionId | null) {
  const { list, byId } = useSearchSessions();
  const projects = useProjects().data ?? NO_PROJECTS;
  const isGuest = useIsGuest();
  const search = useSearch({
    q: useDebounced(query, 60),
    session: isGuest ? here : null,
    here: here ?? undefined,
  });
  // Who asks for this session looks for none of the others, nor for projects.
  const isHereAlone = here !== null && isOfThisSession(query);
  // The commands of the page below, including those of elements that were added since.
  useCommandChanges();
  return {
    search,
    byId,
    names: useMemo(() => projectNames(projects), [projects]),
    sessions: useNamedSessions(isHereAlone ? NO_SESSIONS : list, query, projects),
    projects: isHereAlone ? [] : paletteProjects(projects, query),
    ...paletteCommands(listCommands(), query),
    ...usePaletteHits(search, { query, here, isHereAlone, byId }),
  };
}

/** The sessions that a query names: by their titles, first prompts, branches, projects and tags. */
function useNamedSessions(
  list: readonly SessionSummary[],
  query: string,
  projects: readonly Project[],
): SessionSummary[] {
  const pathOf = useMemo(() => new Map(projects.map(({ id, path }) => [id, path])), [projects]);
  return useMemo(
    () =>
      filterByNames(
        list,
        query,
        ({ title, firstPrompt, gitBranch, projectId, marks }) => [
          title,
          firstPrompt,
          gitBranch,
          pathOf.get(projectId) ?? null,
          ...(marks?.tags ?? []),
        ],
        SESSIONS,
      ),
    [list, query, pathOf],
  );
}

/** The hits that are listed: of the session that is open, and of others. */
function usePaletteHits(
  search: PageSearch,
  {
    query,
    here,
    isHereAlone,
    byId,
  }: {
    query: string;
    here: SessionId | null;
    isHereAlone: boolean;
    byId: ReadonlyMap<SessionId, SessionSummary>;
  },
) {
  const hits = useMemo(
    () => (query.trim() === "" ? [] : withoutRepeats(search.hits, (id) => byId.get(id)?.title)),
    [query, search.hits, byId],
  );
  const mostHere = isHereAlone ? HITS_HERE + HITS_ELSEWHERE : HITS_HERE;
  return {
    here: pickHits(hits, (sessionId) => sessionId === here, mostHere, mostHere),
    elsewhere: pickHits(
      hits,
      (sessionId) => sessionId !== here,
      HITS_ELSEWHERE,
      HITS_A_SESSION,
      search.phase !== "running" && search.complete,
    ),
  };
}

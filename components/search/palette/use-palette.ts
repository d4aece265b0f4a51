import { useMemo } from "react";
import { useSearch } from "@/components/search/use-search";
import { useSearchSessions } from "@/components/search/use-search-sessions";
import { type KeyCommand, listCommands } from "@/lib/client/key-registry";
import { useDebounced } from "@/lib/client/use-debounced";
import { useProjects } from "@/lib/client/use-projects";
import type { SessionId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import { filterByNames, pickHits } from "./palette-entries";

const SESSIONS = 7;
const PROJECTS = 4;
const HITS_HERE = 5;
const HITS_ELSEWHERE = 8;
/** One talkative session shall not hide the others. */
const HITS_A_SESSION = 2;

/**
 * What the palette lists. Sessions, projects and commands are filtered here, in the frame of the key
 * press; hits follow from the server, and those of an older query are dropped.
 */
export function usePalette(query: string, here: SessionId | null) {
  const { list, byId } = useSearchSessions();
  const projects = useProjects().data ?? NO_PROJECTS;
  const search = useSearch({ q: useDebounced(query, 60) });
  // Commands of the page below, as they were when the palette opened.
  const all = useMemo(() => listCommands().filter(isNamed), []);
  const pathOf = useMemo(() => new Map(projects.map(({ id, path }) => [id, path])), [projects]);
  const sessions = useMemo(
    () =>
      filterByNames(
        list,
        query,
        ({ title, firstPrompt, gitBranch, projectId }) => [
          title,
          firstPrompt,
          gitBranch,
          pathOf.get(projectId) ?? null,
        ],
        SESSIONS,
      ),
    [list, query, pathOf],
  );
  const hits = query.trim() === "" ? [] : search.hits;
  return {
    search,
    sessions,
    byId,
    pathOf,
    projects: filterByNames(projects, query, ({ path }) => [path], PROJECTS),
    commands: filterByNames(all, query, ({ label }) => [label], query.trim() === "" ? 20 : 6),
    here: pickHits(hits, (sessionId) => sessionId === here, HITS_HERE, HITS_HERE),
    elsewhere: pickHits(hits, (sessionId) => sessionId !== here, HITS_ELSEWHERE, HITS_A_SESSION),
  };
}

const NO_PROJECTS: readonly Project[] = [];

/** Moves by one row need no name, and the palette is open already. */
function isNamed({ group, keys }: KeyCommand): boolean {
  return group !== "Move" && !keys.includes("mod+k");
}

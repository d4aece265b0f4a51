import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "./api";
import { useDebounced } from "./use-debounced";
import { useProjects } from "./use-projects";

const SESSIONS = 8;
const PROJECTS = 5;

/**
 * Sessions and projects whose names have these words; the latest while there are none. Nothing until the
 * sessions are there, so that the first entry does not change under a quick Enter.
 */
export function useGoTo(words: string) {
  const q = useDebounced(words.trim(), 100);
  const query = { q: q || null, limit: SESSIONS };
  const sessions = useQuery({
    queryKey: ["go-to", query],
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    placeholderData: keepPreviousData,
  });
  const all = useProjects().data ?? [];
  const found = all.filter(({ path }) => path.toLowerCase().includes(words.trim().toLowerCase()));
  if (!sessions.data) return { sessions: [], projects: { all, found: [] } };
  return { sessions: sessions.data.sessions, projects: { all, found: found.slice(0, PROJECTS) } };
}

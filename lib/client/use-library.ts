import { useDeferredValue, useMemo } from "react";
import type { ProjectId } from "@/lib/wire/ids";
import { hasOwnFilters, passes } from "./library-filters";
import { useDebounced } from "./use-debounced";
import { useLibraryFilters } from "./use-library-filters";
import { useNow } from "./use-now";
import { useSessions } from "./use-sessions";

const TYPING_PAUSE_MS = 120;

/** What the library lists: the server's answer to project, words and order, less what the page filters itself. */
export function useLibrary() {
  const [filters] = useLibraryFilters();
  const words = useDebounced(filters.q, TYPING_PAUSE_MS);
  const query = { project: filters.project as ProjectId | null, q: words || null, sort: filters.sort };
  const list = useSessions(query, hasOwnFilters(filters));
  const applied = useDeferredValue(filters);
  const nowMs = useNow();
  const shown = useMemo(
    () => list.sessions.filter((session) => passes(session, applied, nowMs)),
    [list.sessions, applied, nowMs],
  );
  const settled = words === filters.q && applied === filters && !list.isPlaceholder;
  return { ...list, shown, settled, filters, nowMs };
}

export type LibraryList = ReturnType<typeof useLibrary>;

import { useDeferredValue, useMemo } from "react";
import { useDebounced } from "@/lib/client/use-debounced";
import { useNow } from "@/lib/client/use-now";
import { parseQuery } from "@/lib/query/parse-query";
import type { ProjectId } from "@/lib/wire/ids";
import { hasOwnFilters, passes } from "./library-filters";
import { useLibraryFilters } from "./use-library-filters";
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
  // What is wrong shows while one types; what only the server can tell, such as a bad expression, after it.
  const typed = useMemo(() => parseQuery(filters.q).errors, [filters.q]);
  const answered = words === filters.q && !list.isPlaceholder && list.problems.length > 0;
  const problems = answered ? list.problems : typed;
  return { ...list, problems, shown, settled, filters, nowMs };
}

export type LibraryList = ReturnType<typeof useLibrary>;

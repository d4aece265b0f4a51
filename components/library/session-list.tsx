import { useMemo } from "react";
import { useNarrow } from "@/lib/client/use-media";
import { groupSessions } from "./group-sessions";
import { libraryHref } from "./library-filters";
import { ListHead } from "./list-head";
import { ListState } from "./list-state";
import type { LibraryList } from "./use-library";
import { VirtualSessions } from "./virtual-sessions";

/** The table of sessions, or what stands in its place while there are none. */
export function SessionList({ library }: { library: LibraryList }) {
  const { shown, complete, filters, nowMs } = library;
  const narrow = useNarrow();
  const items = useMemo(
    () => groupSessions(shown, { sort: filters.sort, nowMs, complete }),
    [shown, filters.sort, nowMs, complete],
  );
  if (shown.length === 0) return <ListState library={library} />;
  return (
    <div
      role="table"
      aria-label="Sessions"
      aria-rowcount={complete ? items.length + 1 : -1}
      className="flex min-h-0 flex-1 flex-col"
    >
      {narrow ? null : <ListHead />}
      {/* Another filter is another list, which starts at its own place. */}
      <VirtualSessions key={libraryHref(filters)} items={items} library={library} narrow={narrow} />
    </div>
  );
}

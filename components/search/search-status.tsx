import { Progress } from "@/components/ui/progress";
import { StateBar } from "@/components/ui/state-bar";
import { useHealth } from "@/lib/client/use-health";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { progressShare, runWords } from "./search-run-words";
import type { Search } from "./use-search";

/** How far the search is, and whether what is shown is all there is. */
export function SearchStatus({ search }: { search: Search }) {
  const indexing = useHealth().data?.indexing;
  const { phase, progress } = search;
  if (phase === "idle" || (phase === "failed" && search.hits.length === 0)) return null;
  const running = phase === "running";
  return (
    <>
      <div className="relative flex min-h-7 flex-none items-center gap-3 border-b border-line px-3 text-12">
        <span role="status" className="min-w-0 flex-1 truncate text-fg-2 tabular-nums">
          {phase === "failed"
            ? `Broke off: ${search.error?.message ?? ""} What was found is below.`
            : runWords(search)}
        </span>
        {running && (
          <button type="button" className="text-accent hover:underline" onClick={search.stop}>
            Stop
          </button>
        )}
        {!running && search.nextCursor !== null && !search.overflow && (
          <button type="button" className="text-accent hover:underline" onClick={search.more}>
            Find more
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
          The index is still being made: {formatCount(indexing.filesDone)} of{" "}
          {formatPlural(indexing.filesTotal, "file")}. What it lacks is read from the logs, which takes
          longer.
        </StateBar>
      )}
    </>
  );
}

import { Progress, StateBar } from "@/components/ui/states";
import { useHealth } from "@/lib/client/use-health";
import {
  formatBytes,
  formatBytesOf,
  formatCount,
  formatDuration,
  formatPercent,
  formatPlural,
} from "@/lib/format/format";
import type { SearchProgress } from "@/lib/wire/search";
import type { SearchRun } from "./search-run";
import type { PageSearch } from "./use-search";

/** The results on the page: of `all`, those that pass the facets, and of how many sessions these are. */
export type ListedResults = { all: number; passed: number; sessions: number };

/** How many results there are, how far the search is, and whether what is shown is all there is. */
export function SearchStatus({ search, results }: { search: PageSearch; results: ListedResults }) {
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

/** The results and the progress of a search, in words that do not promise more than was searched. */
export function formatSearchRun(
  { phase, complete, nextCursor, overflow, progress, tookMs }: Omit<SearchRun, "problems" | "error">,
  { all, passed, sessions }: ListedResults,
): string {
  const part = passed < all ? `${formatCount(passed)} of ` : "";
  const where = sessions > 0 ? ` in ${formatPlural(sessions, "session")}` : "";
  const found = `${formatPlural(all, "result")}${where}`;
  const first = `${part ? `${part}the first` : "First"} ${found}`;
  const took = tookMs === null ? "" : ` in ${formatDuration(tookMs)}`;
  const far = progress ? ` · searched ${farWords(progress)}` : "";
  if (overflow) return `${first} · add a word to narrow the search`;
  if (phase === "running") return progress ? `${part}${found} so far${far}` : "Searching…";
  if (phase === "stopped") return `Stopped · ${part}${found} so far${far}`;
  if (nextCursor !== null) return `${first} · more available`;
  if (!complete) return `Incomplete · ${part}${found} so far${far}`;
  const unsearched = progress?.unsearched ? ` · ${formatUnsearched(progress.unsearched)}` : "";
  return `${part}${found}${progress ? ` · searched ${formatBytes(progress.bytesTotal)}${took}` : ""}${unsearched}`;
}

/** What is said of texts in which looking for an expression took too long. */
export function formatUnsearched(texts: number): string {
  return `${formatPlural(texts, "text was", "texts were")} not searched: the expression takes too long`;
}

/** `4.7 of 7.8 GB (61 %) · 120 of 2,310 files`. */
function farWords({ bytesDone, bytesTotal, filesDone, filesTotal }: SearchProgress): string {
  return `${formatBytesOf(bytesDone, bytesTotal)} (${formatPercent(progressShare({ bytesDone, bytesTotal }))}) · ${formatCount(filesDone)} of ${formatPlural(filesTotal, "file")}`;
}

/** 0 to 1; nothing to look at is all done. */
function progressShare({ bytesDone, bytesTotal }: Pick<SearchProgress, "bytesDone" | "bytesTotal">): number {
  return bytesTotal > 0 ? bytesDone / bytesTotal : 1;
}

import type { Search } from "@/components/search/use-search";
import { formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";

/** How many hits there are, and whether that is all of them. */
export function PaletteCount({ query, search }: { query: string; search: Search }) {
  const { phase, hits, complete, tookMs } = search;
  if (query.trim() === "" || phase === "idle") return null;
  const running = phase === "running";
  return (
    <span role="status" className="flex-none text-12 text-fg-2 tabular-nums">
      {phase === "failed"
        ? "search failed"
        : `${formatPlural(hits.length, "hit")}${running || !complete ? "+" : ""}`}
      {running && " · reading"}
      {!running && complete && tookMs !== null && ` · ${formatDuration(tookMs)}`}
    </span>
  );
}

/** What stands in the list's place when it is empty. */
export function paletteEmpty(query: string, { phase, complete, error }: Search): string {
  if (query.trim() === "") return "No session yet.";
  if (phase === "failed") return `Only names were searched: ${error?.message ?? "the search failed."}`;
  if (phase === "running" || phase === "idle") return "Nothing in names; the logs are being searched…";
  return complete ? "Found nowhere." : "Nothing found so far.";
}

import { detailFor } from "@/components/search/search-href";
import { recordPlace } from "@/components/thread/record-place";
import type { RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import type { SearchHit } from "@/lib/wire/search";

/** A session's hits as one meets them going down: the main thread first, then its agents, each by its log's order. */
export function orderHits(hits: readonly SearchHit[]): SearchHit[] {
  const places = new Map(hits.map((hit) => [hit, recordPlace(hit.recordId)]));
  return hits.toSorted((left, right) => {
    const [leftPlace, rightPlace] = [places.get(left), places.get(right)];
    return (
      Number(left.agentId !== null) - Number(right.agentId !== null) ||
      (left.agentId ?? "").localeCompare(right.agentId ?? "") ||
      (leftPlace?.file ?? "").localeCompare(rightPlace?.file ?? "") ||
      (leftPlace?.offset ?? 0) - (rightPlace?.offset ?? 0) ||
      left.block - right.block
    );
  });
}

/** Hits that a view shows, and how many it leaves out. Titles stand in no row. */
export function shownHits(
  hits: readonly SearchHit[],
  detail: Detail,
): { shown: SearchHit[]; hidden: number } {
  const inRows = hits.filter(({ field }) => field !== "title");
  const shown = inRows.filter(({ field }) => detailFor(field, detail) === detail);
  return { shown, hidden: inRows.length - shown.length };
}

/** The hit that a link points at, -1 if it is not among them. */
export function findPlace(
  hits: readonly SearchHit[],
  place: { recordId: RecordId; block: number | null } | null,
): number {
  if (!place) return -1;
  const exact = hits.findIndex(
    (hit) => hit.recordId === place.recordId && hit.block === (place.block ?? hit.block),
  );
  return exact >= 0 ? exact : hits.findIndex(({ recordId }) => recordId === place.recordId);
}

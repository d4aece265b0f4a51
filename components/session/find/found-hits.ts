import { isRowInTime } from "@/components/thread/selected-time";
import type { TimeRange } from "@/lib/client/address/session-url";
import { parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { detailOfField, isWithin, type SearchField, type SearchHit } from "@/lib/wire/search";

/** A session's hits as one meets them going down: the main thread first, then its agents, each by its log's order. */
export function orderHits(hits: readonly SearchHit[]): SearchHit[] {
  const places = new Map(hits.map((hit) => [hit, parseRecordId(hit.recordId)]));
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

/**
 * Hits that a view shows, how many it leaves out (`hidden`), and how many do not lie in the selected part of the time
 * (`outside`). Titles stand in no row; a line without a time lies in no part.
 */
export function shownHits(
  hits: readonly SearchHit[],
  detail: Detail,
  range: TimeRange | null,
): { shown: SearchHit[]; hidden: number; outside: number } {
  const ofRows = hits.filter(({ field }) => field !== "title");
  const inRows = range ? ofRows.filter(({ atMs }) => isRowInTime({ atMs, span: null }, range)) : ofRows;
  const shown = inRows.filter(({ field }) => isWithin(detailOfField(field), detail));
  return { shown, hidden: inRows.length - shown.length, outside: ofRows.length - inRows.length };
}

/** The hit that a link points at, of several there the one of this field; -1 if it is not among them. */
export function findPlace(
  hits: readonly SearchHit[],
  place: { recordId: RecordId; block: number | null } | null,
  field: SearchField | null = null,
): number {
  if (!place) return -1;
  const isThere = (hit: SearchHit) =>
    hit.recordId === place.recordId && hit.block === (place.block ?? hit.block);
  const ofField = hits.findIndex((hit) => isThere(hit) && hit.field === field);
  const exact = ofField >= 0 ? ofField : hits.findIndex(isThere);
  return exact >= 0 ? exact : hits.findIndex(({ recordId }) => recordId === place.recordId);
}

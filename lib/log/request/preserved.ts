import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { RequestIndex } from "./request-index";

const NONE = -1;

/**
 * Puts back the messages that a compaction kept: they stand before the boundary and are sent right
 * behind its anchor, the summary (2.1.220, 2.1.330), or behind the boundary itself after "summarize
 * from here". 2.1.110 names only the two ends of the segment. A /branch copy writes the kept
 * messages again; then there is nothing to put back.
 */
export function withPreserved(
  table: SessionTable,
  index: RequestIndex,
  chain: readonly number[],
  boundary: SessionRecord | null,
): number[] {
  const metadata = boundary?.kind === "system" ? asObject(boundary.json.compactMetadata) : null;
  const at = chain[0];
  if (!metadata || at === undefined) return [...chain];
  const uuid = (value: unknown) => {
    const text = asString(value);
    return text === null ? NONE : table.uuids.find(text);
  };
  const segment = asObject(metadata.preservedSegment);
  const messages = asObject(metadata.preservedMessages);
  const find = (key: number) => index.find(key, at, false);
  let kept = asArray(messages?.uuids ?? metadata.preservedMessages).map((one) => find(uuid(one)));
  if (kept.length === 0 && segment)
    kept = segmentRecords(table, index, find(uuid(segment.tailUuid)), uuid(segment.headUuid));
  kept = kept.filter((record) => record !== NONE);
  if (kept.length === 0 || kept.some((record) => chain.includes(record))) return [...chain];
  const anchor = find(uuid(messages?.anchorUuid ?? segment?.anchorUuid));
  const place = chain.indexOf(anchor);
  const behind = place === -1 ? 0 : place;
  return [...chain.slice(0, behind + 1), ...kept, ...chain.slice(behind + 1)];
}

function segmentRecords(
  { records }: SessionTable,
  index: RequestIndex,
  tail: number,
  headUuid: number,
): number[] {
  const segment: number[] = [];
  const seen = new Set<number>();
  for (
    let record = tail;
    record !== NONE && !seen.has(record);
    record = index.find(records.get("parent", record), record, false)
  ) {
    seen.add(record);
    segment.push(record);
    if (records.get("uuid", record) === headUuid) return segment.reverse();
  }
  return [];
}

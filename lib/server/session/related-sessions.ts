import type { RecordId } from "@/lib/wire/ids";
import type { OpenSession } from "./open-session";

/** The records of a session that another holds as well, by uuid. */
export function sharedRecords(
  own: OpenSession,
  other: OpenSession,
): { count: number; last: RecordId | null } {
  const { records, uuids } = own.table;
  const theirs = uuidsOf(other);
  let count = 0;
  let last = -1;
  for (let record = 0; record < records.size; record++) {
    const key = records.get("uuid", record);
    if (key === -1 || !theirs.has(uuids.wordsOf(key))) continue;
    count += 1;
    if (records.get("file", record) === 0) last = record;
  }
  return { count, last: last === -1 ? null : own.recordId(last) };
}

/** The uuids that a session's own lines carry; its index also holds those that lines only point at. */
function uuidsOf({ table: { records, uuids } }: OpenSession): Set<string> {
  const found = new Set<string>();
  for (let record = 0; record < records.size; record++) {
    const key = records.get("uuid", record);
    if (key !== -1) found.add(uuids.wordsOf(key));
  }
  return found;
}

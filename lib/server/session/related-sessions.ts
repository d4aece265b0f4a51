import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Catalog } from "../catalog/catalog";
import type { SharedTotals } from "../totals/library-totals";
import type { OpenSession } from "./open-session";

/** The sessions that share history with one: those whose logs begin so, and any other that holds some of its messages. */
export function relatedSessions(
  catalog: Catalog,
  id: SessionId,
  shared: SharedTotals | null,
): ReturnType<Catalog["related"]> {
  const related = catalog.related(id);
  const known = new Set([id, ...related.map((one) => one.id)]);
  for (const summary of catalog.summaries())
    if (shared?.with.has(summary.id) && !known.has(summary.id))
      related.push({ id: summary.id, relation: "shares-history", summary });
  return related;
}

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

import { answeredTurns, answerKey } from "@/lib/log/graph/session-share";
import { RecordKind } from "@/lib/log/table/kinds";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SharedTotals } from "@/lib/server/library/library-totals";
import type { RecordId, SessionId } from "@/lib/wire/ids";
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

/**
 * The records of a session that another holds as well: by uuid, or, where no uuid is in both (1.0.60 resumes under
 * new ones), by what keeps its id: an answer's message, a result's call, and the answer to a prompt.
 */
export function sharedRecords(
  own: OpenSession,
  other: OpenSession,
): { count: number; last: RecordId | null } {
  const { records, uuids } = own.table;
  const theirs = uuidsOf(other);
  let shared = recordsWhere(own, (record) => {
    const key = records.get("uuid", record);
    return key !== -1 && theirs.has(uuids.wordsOf(key));
  });
  if (shared.length === 0) {
    const [ours, known] = [answersOf(own), new Set(answersOf(other).values())];
    shared = recordsWhere(own, (record) => known.has(ours.get(record) ?? ""));
  }
  const last = shared.findLast((record) => records.get("file", record) === 0);
  return { count: shared.length, last: last === undefined ? null : own.recordId(last) };
}

function recordsWhere({ table: { records } }: OpenSession, holds: (record: number) => boolean): number[] {
  const found: number[] = [];
  for (let record = 0; record < records.size; record++) if (holds(record)) found.push(record);
  return found;
}

/** Records by the id that a copy of them keeps: a line of an answer, a result, and a prompt that was answered. */
function answersOf({ table, graph }: OpenSession): Map<number, string> {
  const { records, messageIds, blocks, toolIds, callOfId } = table;
  const found = new Map<number, string>();
  const idOfCall = new Map(callOfId.map((call, id) => [call, id]));
  for (const [prompt, message] of answeredTurns(table, graph))
    found.set(prompt, `prompt ${answerKey(table, prompt, message)}`);
  for (let record = 0; record < records.size; record++) {
    const kind = records.get("kind", record);
    const message = records.get("message", record);
    if (message !== -1) found.set(record, `answer ${messageIds.wordsOf(message)}`);
    if (kind !== RecordKind.results) continue;
    const id = idOfCall.get(blocks.get("call", records.get("firstBlock", record)));
    if (id !== undefined) found.set(record, `result ${toolIds.wordsOf(id)}`);
  }
  return found;
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

import { noCost, toCost } from "@/lib/cost/price-table";
import { threadUsages } from "@/lib/log/graph/session-cost";
import { countSession, serviceTiersOf, sumUsage, versionsOf } from "@/lib/log/graph/session-counts";
import { startsTurn } from "@/lib/log/graph/session-graph";
import { answeredTurns, answerKey } from "@/lib/log/graph/session-share";
import { asNumber, asObject } from "@/lib/log/records/json";
import { timeOf } from "@/lib/log/rows/row-context";
import { RecordKind } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SharedTotals } from "@/lib/server/library/library-totals";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { nextSlice } from "@/lib/server/runtime/slices";
import { numbersOf } from "@/lib/server/scan/scanned-session";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Totals } from "@/lib/wire/library";
import type { Phase, Relation, SessionDetail } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { branchEntries, firstThread } from "./branch-entries";
import { resumeOf } from "./resume";

/** Number of branches listed in a session's own answer besides the active one. */
const MAX_BRANCHES = 20;

type OwnFacts = Pick<
  SessionDetail,
  "counts" | "usage" | "ownCost" | "pricesAsOf" | "serviceTiers" | "versions" | "phases" | "branches"
> &
  ReturnType<typeof numbersOf> & {
    /** By the name of the log. */
    recordsOf: ReadonlyMap<string, number>;
  };

/**
 * Facts that follow from the records alone, cached with the state of the session: a page requests them whenever it gets
 * the focus. They contain prompts, which are different for a reader with a redaction.
 */
const factsOf = new WeakMap<OpenSession, Promise<OwnFacts>>();

/**
 * A session with all its counts: facts from the records take precedence over those from the library.
 * @param flags with which `backscroll` reads what this server reads
 */
export async function detailOf(
  catalog: Catalog,
  session: OpenSession,
  shared: Totals | null,
  flags: readonly string[] = [],
): Promise<SessionDetail> {
  const { files } = session;
  const summary = catalog.summary(files.id);
  const counted = factsOf.get(session) ?? countFacts(session);
  factsOf.set(session, counted);
  const { recordsOf, ...facts } = await counted;
  // Sorted again: the file written last may contain no record, and agents may have been added in any order.
  const { main, agents } = catalog.sessionFiles(files.id);
  return {
    ...summary,
    ...facts,
    logs: [...(main.gone ? [] : [main]), ...agents].map(({ name, bytes }) => ({
      path: name,
      bytes,
      records: recordsOf.get(name) ?? 0,
    })),
    indexed: true,
    shared,
    project: catalog.project(summary.projectId),
    revision: session.revision,
    // Which files are kept and which folders exist may have changed since the session was read.
    ...resumeOf(catalog, catalog.sessionFiles(files.id), flags),
  };
}

/**
 * Counts in steps, since each takes some milliseconds with 60,000 records, and new lines are sent to readers in
 * between. If the session grows meanwhile, this partly describes its next state, and is requested again with that.
 */
async function countFacts(session: OpenSession): Promise<OwnFacts> {
  const { table, graph, files } = session;
  const names = [files.main, ...files.agents].map(({ name }) => name);
  const recordsIn = new Int32Array(names.length);
  for (let record = 0; record < table.records.size; record++) {
    const file = table.records.file.at(record);
    recordsIn[file] = at(recordsIn, file) + 1;
  }
  const recordsOf = new Map(names.map((name, file) => [name, at(recordsIn, file)]));
  await nextSlice();
  const counts = countSession(table, graph);
  await nextSlice();
  const numbers = numbersOf(table, graph, counts);
  await nextSlice();
  const { table: prices } = pricesInUse();
  const ownCost = toCost(threadUsages(table, graph, prices)[0]?.cost ?? noCost());
  await nextSlice();
  return {
    recordsOf,
    ...numbers,
    counts,
    usage: sumUsage(table),
    ownCost,
    pricesAsOf: prices.asOf,
    serviceTiers: serviceTiersOf(table),
    versions: versionsOf(table),
    phases: await phasesOf(session),
    branches: await branchEntries(
      session,
      (graph.branches[firstThread(session)] ?? []).slice(0, MAX_BRANCHES + 1),
    ),
  };
}

const KEEP_BYTES = 1024;

/** The phases between the compactions of the active branch. */
async function phasesOf(session: OpenSession): Promise<Phase[]> {
  const [active] = session.graph.branches[firstThread(session)] ?? [];
  if (!active) return [];
  const { table, graph } = session;
  const path = session.path(active).records;
  const starts = [0];
  for (let i = 1; i < path.length; i++)
    if (table.records.kind.at(at(path, i)) === RecordKind.compactBoundary) starts.push(i);
  const read = await readRecords(
    session,
    starts.map((i) => at(path, i)),
    KEEP_BYTES,
  );
  return starts.map((from, index) => {
    const record = at(path, from);
    const logged = read(record);
    const metadata = logged?.kind === "system" ? asObject(logged.json.compactMetadata) : null;
    let turns = 0;
    for (let i = from; i < (starts[index + 1] ?? path.length); i++)
      if (startsTurn(table, graph, at(path, i))) turns += 1;
    return {
      fromRecordId: session.recordId(record),
      startedAtMs: timeOf(table, record),
      turns,
      preTokens: asNumber(metadata?.preTokens),
      postTokens: asNumber(metadata?.postTokens),
    };
  });
}

const NEIGHBOURS: ReadonlySet<Relation> = new Set<Relation>(["forked-from", "continues", "continued-in"]);

/**
 * The sessions that share history with one: those whose logs have the same beginning, and any other that contains some
 * of its messages. Its direct neighbours come first, then the newest: a session may have a thousand copies.
 */
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
  const farness = ({ relation }: { relation: Relation }) => (NEIGHBOURS.has(relation) ? 0 : 1);
  return related.sort(
    (a, b) =>
      farness(a) - farness(b) ||
      (b.summary.lastActiveAtMs ?? 0) - (a.summary.lastActiveAtMs ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
}

/**
 * The records of a session that another session contains as well: by uuid, or, where the two have no uuid in common
 * (1.0.60 resumes under new ones), by ids that are kept: an answer's message, a result's call, the answer to a prompt.
 */
export function sharedRecords(
  own: OpenSession,
  other: OpenSession,
): { count: number; last: RecordId | null } {
  const { records, uuids } = own.table;
  const theirs = uuidsOf(other);
  let shared = recordsWhere(own, (record) => {
    const key = records.uuid.at(record);
    return key !== -1 && theirs.has(uuids.wordsOf(key));
  });
  if (shared.length === 0) {
    const [ours, known] = [answersOf(own), new Set(answersOf(other).values())];
    shared = recordsWhere(own, (record) => known.has(ours.get(record) ?? ""));
  }
  const last = shared.findLast((record) => records.file.at(record) === 0);
  return { count: shared.length, last: last === undefined ? null : own.recordId(last) };
}

function recordsWhere({ table: { records } }: OpenSession, holds: (record: number) => boolean): number[] {
  const found: number[] = [];
  for (let record = 0; record < records.size; record++) if (holds(record)) found.push(record);
  return found;
}

/** Records by the id that a copy of them keeps: lines of an answer, results, and prompts that were answered. */
export function answersOf({ table, graph }: OpenSession): Map<number, string> {
  const { records, messageIds, blocks, toolIds, callOfId } = table;
  const found = new Map<number, string>();
  const idOfCall = new Map(callOfId.map((call, id) => [call, id]));
  for (const [prompt, message] of answeredTurns(table, graph))
    found.set(prompt, `prompt ${answerKey(table, prompt, message)}`);
  for (let record = 0; record < records.size; record++) {
    const kind = records.kind.at(record);
    const message = records.message.at(record);
    if (message !== -1) found.set(record, `answer ${messageIds.wordsOf(message)}`);
    if (kind !== RecordKind.results) continue;
    const id = idOfCall.get(blocks.call.at(records.firstBlock.at(record)));
    if (id !== undefined) found.set(record, `result ${toolIds.wordsOf(id)}`);
  }
  return found;
}

/** The uuids of a session's own lines; its index also has those that lines only refer to. */
export function uuidsOf({ table: { records, uuids } }: OpenSession): Set<string> {
  const found = new Set<string>();
  for (let record = 0; record < records.size; record++) {
    const key = records.uuid.at(record);
    if (key !== -1) found.add(uuids.wordsOf(key));
  }
  return found;
}

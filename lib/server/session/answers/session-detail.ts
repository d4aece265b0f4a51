import { noCost, toCost } from "@/lib/cost/price-table";
import { threadUsages } from "@/lib/log/graph/session-cost";
import { countSession, serviceTiersOf, sumUsage, versionsOf } from "@/lib/log/graph/session-counts";
import { startsTurn } from "@/lib/log/graph/session-graph";
import { asNumber, asObject } from "@/lib/log/records/json";
import { timeOf } from "@/lib/log/rows/row-context";
import { RecordKind } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import type { Catalog } from "@/lib/server/library/catalog";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { nextSlice } from "@/lib/server/runtime/slices";
import { numbersOf } from "@/lib/server/scan/scanned-session";
import type { Totals } from "@/lib/wire/library";
import type { Phase, SessionDetail } from "@/lib/wire/session";
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

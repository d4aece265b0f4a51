import { countSession, serviceTiersOf, sumUsage, versionsOf } from "@/lib/log/graph/session-counts";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { Catalog } from "@/lib/server/library/catalog";
import { numbersOf } from "@/lib/server/scan/scanned-session";
import type { SessionDetail } from "@/lib/wire/session";
import type { Totals } from "@/lib/wire/totals";
import { branchEntries } from "./branch-entries";
import { firstThread } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { phasesOf } from "./phases-of";
import { resumeCommand } from "./resume-command";

/** Branches that a session's own answer lists beside the active one. */
const MOST_BRANCHES = 20;

type OwnFacts = Pick<
  SessionDetail,
  "counts" | "usage" | "serviceTiers" | "versions" | "phases" | "branches"
> &
  ReturnType<typeof numbersOf> & {
    /** By the name of the log. */
    recordsOf: ReadonlyMap<string, number>;
  };

/** What follows from the records alone, kept as long as their graph: a page asks for it at every focus. */
const factsOf = new WeakMap<SessionGraph, Promise<OwnFacts>>();

/** A session with all its counts: what the records say over what the library already knew. */
export async function detailOf(
  catalog: Catalog,
  session: OpenSession,
  shared: Totals | null,
): Promise<SessionDetail> {
  const { graph, files } = session;
  const summary = catalog.summary(files.id);
  const counted = factsOf.get(graph) ?? countFacts(session);
  factsOf.set(graph, counted);
  const { recordsOf, ...facts } = await counted;
  // As they are listed now: what was written last may hold no record, and agents may have come in any order.
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
    resumeCommand: files.main.gone ? null : resumeCommand(files),
  };
}

async function countFacts(session: OpenSession): Promise<OwnFacts> {
  const { table, graph, files } = session;
  const names = [files.main, ...files.agents].map(({ name }) => name);
  const recordsOf = new Map<string, number>();
  for (let record = 0; record < table.records.size; record++) {
    const name = names[table.records.get("file", record)] ?? "";
    recordsOf.set(name, (recordsOf.get(name) ?? 0) + 1);
  }
  const counts = countSession(table, graph);
  return {
    recordsOf,
    ...numbersOf(table, graph, counts),
    counts,
    usage: sumUsage(table),
    serviceTiers: serviceTiersOf(table),
    versions: versionsOf(table),
    phases: await phasesOf(session),
    branches: await branchEntries(
      session,
      (graph.branches[firstThread(session)] ?? []).slice(0, MOST_BRANCHES + 1),
    ),
  };
}

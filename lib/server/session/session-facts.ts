import { countSession, serviceTiersOf, sumUsage, versionsOf } from "@/lib/thread/session-counts";
import type { SessionGraph } from "@/lib/thread/session-graph";
import type { SessionDetail } from "@/lib/wire/session";
import type { Totals } from "@/lib/wire/totals";
import type { Catalog } from "../catalog/catalog";
import { branchEntries } from "./branch-entries";
import type { OpenSession } from "./open-session";
import { resumeCommand } from "./resume-command";
import { numbersOf } from "./scanned-session";
import { phasesOf } from "./session-detail";

/** Branches that a session's own answer lists beside the active one. */
const MOST_BRANCHES = 20;

type Facts = Omit<SessionDetail, "project" | "resumeCommand" | "shared">;
type OwnFacts = Pick<
  Facts,
  "counts" | "usage" | "serviceTiers" | "versions" | "phases" | "branches" | "logs"
> &
  ReturnType<typeof numbersOf>;

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
  const facts = factsOf.get(graph) ?? countFacts(session);
  factsOf.set(graph, facts);
  return {
    ...summary,
    ...(await facts),
    indexed: true,
    shared,
    project: catalog.project(summary.projectId),
    revision: session.revision,
    resumeCommand: resumeCommand(files),
  };
}

async function countFacts(session: OpenSession): Promise<OwnFacts> {
  const { table, graph, files } = session;
  const perFile = new Array<number>(files.agents.length + 1).fill(0);
  for (let record = 0; record < table.records.size; record++) {
    const file = table.records.get("file", record);
    perFile[file] = (perFile[file] ?? 0) + 1;
  }
  return {
    ...numbersOf(table, graph),
    counts: countSession(table, graph),
    usage: sumUsage(table),
    serviceTiers: serviceTiersOf(table),
    versions: versionsOf(table),
    phases: await phasesOf(session),
    branches: await branchEntries(session, (graph.branches[0] ?? []).slice(0, MOST_BRANCHES + 1)),
    logs: [files.main, ...files.agents].map(({ name, bytes }, file) => ({
      path: name,
      bytes,
      records: perFile[file] ?? 0,
    })),
  };
}

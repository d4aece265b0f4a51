import { firstWords } from "@/lib/format/text";
import { branchNumbers, branchThrough } from "@/lib/log/graph/branch-points";
import type { Branch } from "@/lib/log/graph/branches";
import { startsTurn } from "@/lib/log/graph/session-graph";
import { memberAfter, membersOf, type Steps } from "@/lib/log/graph/steps";
import { timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { type BranchId, branchIdOf } from "@/lib/wire/ids";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import type { BranchEntry } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";

const NONE = -1;
const KEEP_BYTES = 1024;
const MAX_PROMPT = 120;

/** The part of a branch that is not on the active one: `stem` is the step that it leaves, -1 where it has a root of its own. */
type OwnPart = { stem: number; prompt: number; turns: number; lastMs: number | null };

/**
 * The branches of the main thread, the active one first. Of every other only its own part is visited: a
 * session can have many that leave it late.
 */
export async function branchEntries(
  session: OpenSession,
  branches: readonly Branch[],
): Promise<BranchEntry[]> {
  const parts = branches.map((branch) => ownPart(session, branch));
  const sources = parts.map(({ prompt }) => (prompt === NONE ? NONE : promptRecord(session, prompt)));
  const leaves = branches.map((branch) => branch.leafRecord);
  const read = await readRecords(session, [...sources, ...leaves], KEEP_BYTES);
  const turnsUpTo = turnsOfActive(session, new Set(parts.map(({ stem }) => stem)));
  const numbers = branchNumbers(session.graph, firstThread(session));
  return branches.map((branch, index) => {
    const { stem, turns, lastMs } = parts[index] as OwnPart;
    const source = sources[index] as number;
    const leaf = read(branch.leafRecord);
    return {
      id: branchIdOf(session.recordId(branch.leafRecord)),
      number: numbers.get(branch.leaf) ?? 0,
      leafUuid: leaf && leaf.kind !== "unreadable" ? leaf.uuid : null,
      forkedAtRecordId: stem === NONE ? null : session.recordId(lastMember(session, stem)),
      prompt: source === NONE ? null : firstWords(promptTitle(read(source)), MAX_PROMPT),
      turns: turns + (turnsUpTo.get(stem) ?? 0),
      lastActiveAtMs: lastMs,
      active: branch === session.graph.branches[firstThread(session)]?.[0],
    };
  });
}

function ownPart({ table, graph }: OpenSession, { leaf, ownFrom }: Branch): OwnPart {
  const { steps } = graph;
  const part: OwnPart = {
    stem: ownFrom === NONE ? NONE : at(steps.parent, ownFrom),
    prompt: NONE,
    turns: 0,
    lastMs: null,
  };
  for (let step = leaf; step !== NONE; step = at(steps.parent, step)) {
    if (step === part.stem && part.lastMs !== null) break;
    part.lastMs ??= lastTimeOf(table, steps, step);
    // A branch whose lines have no times was last active when the branch that it leaves was.
    if (step === part.stem) break;
    let first = NONE;
    for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) {
      if (!startsTurn(table, graph, record)) continue;
      part.turns += 1;
      if (first === NONE) first = record;
    }
    if (first !== NONE) part.prompt = first;
  }
  return part;
}

function lastTimeOf(table: SessionTable, steps: Steps, step: number): number | null {
  let last: number | null = null;
  for (const record of membersOf(steps, step)) last = timeOf(table, record) ?? last;
  return last;
}

/** For each of these steps the number of turns of the active branch that begin before its end. */
function turnsOfActive(session: OpenSession, stems: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const [active] = session.graph.branches[firstThread(session)] ?? [];
  if (!active) return counts;
  const { records, turns } = session.path(active);
  let turn = 0;
  for (let i = 0; i < records.length; i++) {
    // The first turn is what precedes the first prompt.
    while (turn + 1 < turns.length && turns[turn + 1]?.from === i) turn += 1;
    const step = at(session.graph.steps.of, at(records, i));
    if (stems.has(step)) counts.set(step, turn);
  }
  return counts;
}

function lastMember({ graph: { steps } }: OpenSession, step: number): number {
  return [...membersOf(steps, step)].at(-1) ?? NONE;
}

/**
 * The branch that a request means: the one through the record it names as `branch`, else the one
 * with the record it looks around, else the active one. `null` for a thread without records. If the main log is
 * gone, the first agent's thread takes its place. Throws `agent-not-found` and `record-not-found`.
 */
export function chooseBranch(
  session: OpenSession,
  query: Pick<RowsQuery, "branch" | "agent">,
  target: number | null,
): Branch | null {
  const { graph } = session;
  let thread = firstThread(session);
  if (query.agent !== null) {
    thread = graph.threads.findIndex((one) => one.agentId === query.agent);
    if (thread <= 0)
      throw new ViewerError("agent-not-found", "There is no such agent in this session", {
        hint: "Open the session without it.",
      });
  }
  const branches = graph.branches[thread] ?? [];
  if (query.branch !== null)
    return through(session, thread, session.find(query.branch)) ?? branches[0] ?? null;
  return (target === null ? null : through(session, thread, target)) ?? branches[0] ?? null;
}

/** The thread that a session opens with: the main one, or the first agent's where the main log is gone. */
export function firstThread({ files, graph }: OpenSession): number {
  if (!files.main.gone) return 0;
  const has = (thread: number) => (graph.branches[thread]?.length ?? 0) > 0;
  const agents = graph.threads.flatMap((one, thread) => (thread > 0 && has(thread) ? [{ one, thread }] : []));
  return (agents.find(({ one }) => !one.internal) ?? agents[0])?.thread ?? 0;
}

function through({ graph }: OpenSession, thread: number, record: number): Branch | null {
  return branchThrough(graph, thread, at(graph.steps.of, record));
}

/** The id of a branch: the record of its leaf. */
export function idOfBranch(session: OpenSession, branch: Branch): BranchId {
  return branchIdOf(session.recordId(branch.leafRecord));
}

/** The last record of a branch that is a node of the graph: the client's bookkeeping lines may follow it. */
export function lastNode({ graph: { steps }, table }: OpenSession, branch: Branch): number {
  let last = branch.leafRecord;
  for (const record of membersOf(steps, branch.leaf)) {
    if (table.records.message.at(record) !== -1 || table.types.at(table.records.type.at(record)) === "user")
      last = record;
  }
  return last;
}

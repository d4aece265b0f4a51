import type { Branch } from "@/lib/log/graph/branches";
import { startsTurn } from "@/lib/log/graph/starts-turn";
import { membersOf } from "@/lib/log/graph/steps";
import { firstWords } from "@/lib/log/rows/cut-text";
import { timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import { at } from "@/lib/log/table/table";
import type { BranchId } from "@/lib/wire/ids";
import type { BranchEntry } from "@/lib/wire/session";
import { firstThread } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
const KEEP_BYTES = 1024;
const PROMPT_WORDS = 120;

/** What of a branch is not the active one's: `stem` is the step that it leaves, -1 where it has a root of its own. */
type OwnPart = { stem: number; prompt: number; turns: number; lastMs: number | null };

/**
 * The branches of the main thread, the active one first. Of every other only its own part is walked: a
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
  return branches.map((branch, index) => {
    const { stem, turns, lastMs } = parts[index] as OwnPart;
    const source = sources[index] as number;
    const leaf = read(branch.leafRecord);
    return {
      id: session.recordId(branch.leafRecord) as string as BranchId,
      leafUuid: leaf && leaf.kind !== "unreadable" ? leaf.uuid : null,
      forkedAtRecordId: stem === NONE ? null : session.recordId(lastMember(session, stem)),
      prompt: source === NONE ? null : firstWords(promptTitle(read(source)), PROMPT_WORDS),
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
    const members = [...membersOf(steps, step)];
    part.lastMs ??= members.map((record) => timeOf(table, record)).findLast((ms) => ms !== null) ?? null;
    // A branch whose lines have no times was last active when the one was that it leaves.
    if (step === part.stem) break;
    const turns = members.filter((record) => startsTurn(table, graph, record));
    part.turns += turns.length;
    part.prompt = turns[0] ?? part.prompt;
  }
  return part;
}

/** How many turns of the active branch begin above each of these steps' ends. */
function turnsOfActive(session: OpenSession, stems: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const [active] = session.graph.branches[firstThread(session)] ?? [];
  if (!active) return counts;
  const { records, turns } = session.path(active);
  let turn = 0;
  for (let i = 0; i < records.length; i++) {
    // The first turn is what stands before the first prompt.
    while (turn + 1 < turns.length && turns[turn + 1]?.from === i) turn += 1;
    const step = at(session.graph.steps.of, at(records, i));
    if (stems.has(step)) counts.set(step, turn);
  }
  return counts;
}

function lastMember({ graph: { steps } }: OpenSession, step: number): number {
  return [...membersOf(steps, step)].at(-1) ?? NONE;
}

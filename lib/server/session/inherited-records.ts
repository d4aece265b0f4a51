import { CONTINUED_IN } from "@/lib/log/adding/levels";
import { asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { RecordId } from "@/lib/wire/ids";
import type { InheritedRow, Row } from "@/lib/wire/rows";
import type { Relation } from "@/lib/wire/session";
import type { InheritedRecords, OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
const MAIN_LOG = 0;
const KEEP_BYTES = 1024;
const MAX_LINES = 100;

type Neighbour = { session: OpenSession; title: string };
/** A session's id and title by its UUID; `null` for one that is not listed. */
type FindNamed = (uuid: string) => Pick<InheritedRow, "sessionId" | "title"> | null;

/**
 * "Clear context and implement plan" begins a session with the last lines of the previous one (2.1.29: the
 * refusal of the plan and the interruption; 2.1.42: the interruption). `neighbours` opens the sessions that
 * this one continues or is continued in, as far as known: there may be several, and each line has its own.
 * An agent that works while its session is cleared goes on in a log of the new one (2.1.332).
 * `/background` (2.1.29x) goes on in a copy of the session under another id, which the last line of the original names.
 */
export async function findInheritedRecords(
  session: OpenSession,
  neighbours: (relation: Relation) => Promise<Neighbour[]>,
  named: FindNamed,
): Promise<InheritedRecords> {
  const inherited = inheritedLines(session);
  const earlier = inherited.length === 0 ? [] : await neighbours("continues");
  const from = await findContinuations(session, named);
  let [before] = earlier;
  if (before) {
    const read = await readRecords(session, inherited, KEEP_BYTES);
    for (const record of inherited) {
      const line = read(record);
      if (!line || line.kind === "unreadable") continue;
      const { parentUuid } = line;
      const parentIn = (one: Neighbour) => (parentUuid === null ? NONE : one.session.findUuid(parentUuid));
      // Those that follow are its descendants, and belong to the same session.
      before = earlier.find((one) => parentIn(one) !== NONE) ?? before;
      const toolUseId = resultsIn(line)[0];
      from.set(session.recordId(record), {
        way: "from",
        ...linkTo(before, parentIn(before)),
        tool: toolUseId ? toolOf(before.session, toolUseId) : null,
      });
    }
  }
  return { from, answered: await findAnswers(session, neighbours) };
}

/** Adds to a row the other session that it belongs to, if any. */
export function withInherited<R extends Row>(row: R, { from, answered }: InheritedRecords): R {
  const inherited =
    row.kind === "tool" && row.state === "no-result"
      ? answered.get(row.toolUseId ?? "")
      : from.get(row.recordId);
  if (!inherited) return row;
  const isResult = row.kind === "context" && inherited.tool !== null;
  return { ...row, ...(isResult ? { label: `Result of ${inherited.tool}` } : {}), carried: inherited };
}

/** The lines that name the session in which this one continues, with that session. */
async function findContinuations(
  session: OpenSession,
  named: FindNamed,
): Promise<Map<RecordId, InheritedRow>> {
  const found = new Map<RecordId, InheritedRow>();
  const { records, types } = session.table;
  const type = types.list.indexOf(CONTINUED_IN);
  if (type === NONE) return found;
  const lines: number[] = [];
  for (let record = 0; record < records.size; record++)
    if (records.type.at(record) === type) lines.push(record);
  const read = await readRecords(session, lines, KEEP_BYTES);
  for (const record of lines) {
    const line = read(record);
    const next = line?.kind === "metadata" ? named(asString(line.json.continuedInSessionId) ?? "") : null;
    if (next) found.set(session.recordId(record), { way: "on", ...next, recordId: null, tool: null });
  }
  return found;
}

async function findAnswers(
  session: OpenSession,
  neighbours: (relation: Relation) => Promise<Neighbour[]>,
): Promise<InheritedRecords["answered"]> {
  const answered = new Map<string, InheritedRow>();
  const later = hasOpenCall(session) ? await neighbours("continued-in") : [];
  for (const after of later) {
    const inherited = inheritedLines(after.session);
    const read = await readRecords(after.session, inherited, KEEP_BYTES);
    for (const record of inherited) {
      for (const toolUseId of resultsIn(read(record)))
        answered.set(toolUseId, { way: "to", ...linkTo(after, record), tool: null });
    }
  }
  return answered;
}

function linkTo({ session, title }: Neighbour, record: number) {
  return {
    sessionId: session.files.id,
    title,
    recordId: record === NONE ? null : session.recordId(record),
  };
}

/** The lines with which logs go on from those of another session. */
function inheritedLines(session: OpenSession): number[] {
  return [...inheritedByMain(session), ...inheritedByAgents(session)];
}

/** The first line of each agent whose call is in no file of the session, where its parent is not either. */
function inheritedByAgents({ table: { records }, graph }: OpenSession): number[] {
  const alone = graph.threads.flatMap(({ file, call, internal }, thread) =>
    file === MAIN_LOG || call !== NONE || internal ? [] : [thread],
  );
  const unseen = new Set(alone);
  const inherited: number[] = [];
  for (let record = 0; record < records.size && unseen.size > 0; record++) {
    if (!unseen.delete(graph.threadOf[record] ?? NONE)) continue;
    if (records.parent.at(record) !== NONE && graph.parents[record] === NONE) inherited.push(record);
  }
  return inherited;
}

/**
 * The lines at the start of a main log whose parent is in no file of the session, and their descendants. None
 * where the conversation itself continues from them: then the whole log continues another (2.0.0).
 */
function inheritedByMain({ table: { records } }: OpenSession): number[] {
  const inherited: number[] = [];
  const uuids = new Set<number>();
  for (let record = 0; record < records.size && inherited.length < MAX_LINES; record++) {
    // While a session grows, lines of agents may be in between.
    if (records.file.at(record) !== MAIN_LOG) continue;
    if (!(records.flags.at(record) & Flag.node)) continue;
    const parent = records.parent.at(record);
    if (parent === NONE || (inherited.length > 0 && !uuids.has(parent))) break;
    const kind = records.kind.at(record);
    if (kind === RecordKind.prompt || kind === RecordKind.assistant) return [];
    inherited.push(record);
    uuids.add(records.uuid.at(record));
  }
  return inherited;
}

const openCalls = new WeakMap<OpenSession, boolean>();

/**
 * Whether a call has no result, of each state of a session looked for once: an export asks for every one of its calls,
 * and most sessions have none that is open.
 */
function hasOpenCall(session: OpenSession): boolean {
  const known = openCalls.get(session);
  if (known !== undefined) return known;
  const { calls } = session.table;
  const { use, result } = calls;
  let isOpen = false;
  for (let call = calls.size - 1; call >= 0 && !isOpen; call--)
    isOpen = result.at(call) === NONE && use.at(call) !== NONE;
  openCalls.set(session, isOpen);
  return isOpen;
}

function resultsIn(line: SessionRecord | null): string[] {
  if (line?.kind !== "user") return [];
  return line.blocks.flatMap((block) =>
    block.kind === "tool-result" && block.toolUseId !== null ? [block.toolUseId] : [],
  );
}

function toolOf({ table }: OpenSession, toolUseId: string): string | null {
  const call = table.callOf(table.toolIds.find(toolUseId));
  return call === undefined ? null : table.tools.at(table.calls.tool.at(call));
}

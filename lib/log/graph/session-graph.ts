import { BlockKind, Flag, RecordKind } from "@/lib/log/table/kinds";
import { rareValue } from "@/lib/log/table/rare-values";
import { blocksOf, type SessionLog, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { TurnCounts } from "@/lib/wire/rows";
import { type Branch, findBranches } from "./branches";
import { findDuplicateRecords, resolveParents } from "./parents";
import { joinQueuedBeside } from "./queued-beside";
import { findQueuedTurns } from "./queued-turns";
import { buildSteps, type Steps } from "./steps";
import { joinTakenBack } from "./taken-back";
import { findThreads, type Thread } from "./threads";

/** Everything that follows from a table's records: parents, threads, steps, branches, and turns without a user line. */
export type SessionGraph = {
  parents: Int32Array;
  threads: Thread[];
  /** Record → thread. */
  threadOf: Uint16Array;
  steps: Steps;
  /** The branches of each thread, the active one first. */
  branches: Branch[][];
  /** Record of the operation that delivered a queued prompt → record that queued it. */
  queuedTurns: ReadonlyMap<number, number>;
  /** Duplicate of a record in the same file → the one written first. */
  duplicates: ReadonlyMap<number, number>;
  /** Prompts that were taken back before anything came of them. */
  takenBack: ReadonlySet<number>;
  /** Messages (by number) that were cut off and asked for again. */
  retriedMessages: ReadonlySet<number>;
  /** Notification that contains an agent's answer → the agent's thread. */
  notified: ReadonlyMap<number, number>;
};

/** Builds the graph of a session's table. Pure and iterative: any records give a graph that contains all of them. */
export function buildGraph(table: SessionTable, logs: readonly SessionLog[]): SessionGraph {
  const duplicates = findDuplicateRecords(table);
  const parents = resolveParents(table, duplicates);
  joinQueuedBeside(table, parents, duplicates);
  const takenBack = joinTakenBack(table, parents, duplicates);
  const threads = findThreads(table, parents, logs);
  const steps = buildSteps(table, parents, threads, duplicates);
  return {
    parents,
    threads: threads.list,
    threadOf: threads.of,
    steps,
    branches: findBranches(table, steps, threads.list.length),
    queuedTurns: findQueuedTurns(table),
    duplicates,
    takenBack,
    retriedMessages: findRetriedMessages(table, parents),
    notified: returnsByNotice(table, threads.list),
  };
}

/** The notifications in the conversation that contain an agent's answer (2.1.42 and later): record → thread. */
export function returnsByNotice(table: SessionTable, threads: readonly Thread[]): Map<number, number> {
  const found = new Map<number, number>();
  if (table.notices.length === 0) return found;
  const byId = new Map<string, number>();
  for (const [index, { agentId, internal }] of threads.entries())
    if (agentId !== null && !internal) byId.set(agentId, index);
  for (const { agentId, record, brings } of table.notices) {
    const thread = byId.get(agentId ?? "");
    if (brings && thread !== undefined) found.set(record, thread);
  }
  return found;
}

const NONE = -1;

/**
 * Messages (by number) whose stream broke and that the client asked for again: 2.1.29 and 2.1.42 keep the
 * first attempt, and directly below it the retry with the same text under another id.
 */
function findRetriedMessages(table: SessionTable, parents: Int32Array): ReadonlySet<number> {
  const { records, messages } = table;
  const firstText = new Int32Array(messages.size).fill(NONE);
  const broken = new Set<number>();
  for (let record = 0; record < records.size; record++) {
    if (records.kind.at(record) !== RecordKind.assistant) continue;
    const message = records.message.at(record);
    if (at(firstText, message) === NONE) firstText[message] = records.link.at(record);
  }
  for (let record = 0; record < records.size; record++) {
    const up = at(parents, record);
    if (
      up === NONE ||
      records.kind.at(record) !== RecordKind.assistant ||
      records.kind.at(up) !== RecordKind.assistant
    )
      continue;
    const message = records.message.at(record);
    const above = records.message.at(up);
    if (
      message !== above &&
      at(firstText, message) !== NONE &&
      at(firstText, message) === at(firstText, above)
    )
      broken.add(above);
  }
  return broken;
}

/** True if a record starts a turn of its thread. */
export function startsTurn(table: SessionTable, graph: SessionGraph, record: number): boolean {
  if (graph.duplicates.has(record)) return false;
  const kind = table.records.kind.at(record);
  return kind === RecordKind.prompt || kind === RecordKind.agentPrompt || graph.queuedTurns.has(record);
}

/** What is written while a turn is worked on, and not what somebody types or resumes hours later. */
const WORK: ReadonlySet<number> = new Set([
  RecordKind.prompt,
  RecordKind.agentPrompt,
  RecordKind.assistant,
  RecordKind.results,
  RecordKind.interruption,
]);

/**
 * Until when a record shows that its turn was worked on: an answer until its calls had their results, wherever those
 * are (up to 2.1.42 after a prompt that was queued meanwhile). NaN for records that may be written long after the work:
 * a command, a compaction, what waits in the queue for the next turn (2.0.42 and later), the answer that a client adds
 * when it resumes a session.
 */
function workedUntil(table: SessionTable, record: number): number {
  const { records, blocks, calls } = table;
  if (!isWork(table, record)) return Number.NaN;
  let endMs = records.atMs.at(record);
  if (records.kind.at(record) !== RecordKind.assistant) return endMs;
  for (const block of blocksOf(table, record)) {
    const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
    const result = call === NONE ? NONE : calls.result.at(call);
    const ms = result === NONE ? Number.NaN : records.atMs.at(blocks.record.at(result));
    if (!(ms <= endMs) && !Number.isNaN(ms)) endMs = ms;
  }
  return endMs;
}

/**
 * How long a turn took: from its first record to the last of its work. `pausedMs` of that its client was at rest, until its
 * person typed a command that the model answers, perhaps a day later (a custom command, a skill; 2.1.330: one for the shell).
 */
export type TurnTime = {
  startMs: number;
  endMs: number;
  pausedMs: number;
  /** The pause before a command that no work follows yet. */
  restMs: number;
  /** Whether there ever was one: work that is known only later may have come of it. */
  hasRested: boolean;
};

export const NO_TIME: Readonly<TurnTime> = {
  startMs: Number.NaN,
  endMs: Number.NaN,
  pausedMs: 0,
  restMs: 0,
  hasRested: false,
};

/** Adds the next record of a turn. File order is not time order in any version; the first record's time is the start. */
export function addTime(time: TurnTime, table: SessionTable, record: number): void {
  const { records } = table;
  const ms = records.atMs.at(record);
  if (Number.isNaN(time.startMs) && !Number.isNaN(ms)) {
    time.startMs = ms;
    time.endMs = ms;
  }
  // Background work that the turn itself began is still running: its end is waited for.
  if (records.kind.at(record) === RecordKind.notification) time.restMs = 0;
  else if ((records.flags.at(record) & Flag.atRest) !== 0 && ms > time.endMs) {
    time.restMs = ms - time.endMs;
    time.hasRested = true;
  }
  const endMs = workedUntil(table, record);
  if (!(endMs > time.endMs)) return;
  time.endMs = endMs;
  time.pausedMs += time.restMs;
  time.restMs = 0;
}

/** NaN for a turn without times. */
export function turnMs({ startMs, endMs, pausedMs }: TurnTime): number {
  return endMs - startMs - pausedMs;
}

/**
 * "No response requested.": the answer that the client adds, when it resumes a session, to one that ended with a user's
 * line. No request was sent for it.
 */
export function isSpacer(table: SessionTable, record: number): boolean {
  const { records, blocks } = table;
  if (records.kind.at(record) !== RecordKind.synthetic) return false;
  if ((records.flags.at(record) & Flag.apiError) !== 0) return false;
  for (const block of blocksOf(table, record)) if (blocks.kind.at(block) === BlockKind.call) return false;
  return true;
}

function isWork(table: SessionTable, record: number): boolean {
  const { records } = table;
  const kind = records.kind.at(record);
  if (kind === RecordKind.synthetic) return !isSpacer(table, record);
  // Among attachments, only hooks say how long they took.
  return kind === RecordKind.attachment ? rareValue(table.tookMs, record) > 0 : WORK.has(kind);
}

/** The facts of one turn: its prompt and everything up to the next one. Turn 0 holds what precedes the first prompt. */
export type Turn = TurnTime &
  TurnCounts & {
    /** The record of its prompt; for turn 0 the first record. */
    record: number;
    /** Index of its first record in `Path.records`. */
    from: number;
    /** Tokens of the messages that are counted in this turn. */
    tokens: number;
    compactedBefore: number;
  };

/**
 * A branch laid out: its records in reading order, and its turns. `beginsAt`: the record at this position is the first
 * of the message on the path, where the message counts.
 */
export type Path = {
  records: Int32Array;
  turns: Turn[];
  beginsAt(message: number, position: number): boolean;
};

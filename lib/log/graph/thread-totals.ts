import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { messageTokens } from "@/lib/log/table/message-tokens";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";
import type { Thread } from "./threads";

const NONE = -1;

/** One piece of an agent's work, from the prompt that set it going to its last line before the next such prompt. */
type Round = { startMs: number; endMs: number };

/**
 * Calls and tokens of a whole thread, when it began and ended (epoch milliseconds, NaN without times), its rounds
 * of work, and the last block with text or a call, -1 for none.
 */
export type ThreadTotals = {
  toolCalls: number;
  tokens: number;
  startMs: number;
  endMs: number;
  rounds: Round[];
  lastBlock: number;
};

const totalsOf = new WeakMap<SessionGraph, ThreadTotals[]>();

/** Counts all threads on first use, in one pass over the records. */
export function threadTotals(table: SessionTable, graph: SessionGraph, thread: number): ThreadTotals {
  let totals = totalsOf.get(graph);
  if (!totals) {
    totals = countThreads(table, graph);
    totalsOf.set(graph, totals);
  }
  return totals[thread] ?? empty();
}

/** The total time of rounds of work, without the pauses between them; `null` without times. */
export function workedMs(rounds: readonly Round[]): number | null {
  if (rounds.length === 0) return null;
  return rounds.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** The rounds of an agent that a call started: those up to the next call that resumed it. */
export function roundsOfCall(
  table: SessionTable,
  thread: Thread,
  rounds: readonly Round[],
  call: number,
): readonly Round[] {
  if (thread.resumes.length === 0) return rounds;
  const calls = [thread.call, ...thread.resumes];
  const index = calls.indexOf(call);
  const from = index === 0 ? Number.NEGATIVE_INFINITY : timeOfCall(table, call);
  const next = calls[index + 1];
  const to = next === undefined ? Number.POSITIVE_INFINITY : timeOfCall(table, next);
  return rounds.filter(({ startMs }) => !(startMs < from) && !(startMs >= to));
}

function empty(): ThreadTotals {
  return {
    toolCalls: 0,
    tokens: 0,
    startMs: Number.NaN,
    endMs: Number.NaN,
    rounds: [],
    lastBlock: NONE,
  };
}

function countThreads(table: SessionTable, graph: SessionGraph): ThreadTotals[] {
  const totals = graph.threads.map(empty);
  const prompted = addTimes(totals, table, graph);
  beginWithCalls(totals, table, graph, prompted);
  addTokens(totals, table, graph);
  addBlocks(totals, table, graph);
  return totals;
}

/** Adds the times of all records, and of agents' rounds. Returns, by thread, 1 for an agent that was given a prompt. */
function addTimes(totals: readonly ThreadTotals[], table: SessionTable, graph: SessionGraph): Uint8Array {
  const { records } = table;
  /** Thread → 1 once its work has paused: its last line is an answer that asks for nothing more. */
  const paused = new Uint8Array(totals.length);
  const prompted = new Uint8Array(totals.length);
  for (let record = 0; record < graph.parents.length; record++) {
    const ms = records.atMs.at(record);
    if (Number.isNaN(ms)) continue;
    const thread = at(graph.threadOf, record);
    const total = totals[thread] as ThreadTotals;
    if (!(total.startMs <= ms)) total.startMs = ms;
    if (!(total.endMs >= ms)) total.endMs = ms;
    if (thread === 0) continue;
    const kind = records.kind.at(record);
    if (kind === RecordKind.agentPrompt) prompted[thread] = 1;
    addToRounds(total.rounds, ms, kind === RecordKind.agentPrompt && paused[thread] === 1);
    if (kind === RecordKind.assistant) paused[thread] = callsNothing(table, record) ? 1 : 0;
    else if (kind === RecordKind.results || kind === RecordKind.agentPrompt) paused[thread] = 0;
  }
  return prompted;
}

/** 2.0.42 and 2.0.50 leave the prompt out of an agent's file: there its work begins with its call. */
function beginWithCalls(
  totals: readonly ThreadTotals[],
  table: SessionTable,
  graph: SessionGraph,
  prompted: Uint8Array,
): void {
  for (const [index, total] of totals.entries()) {
    const [first] = total.rounds;
    const started = timeOfCall(table, graph.threads[index]?.call ?? NONE);
    if (!first || prompted[index] || !(started < first.startMs)) continue;
    first.startMs = started;
    total.startMs = started;
  }
}

/** Adds each message's tokens once, to the thread of its first line. */
function addTokens(totals: readonly ThreadTotals[], table: SessionTable, graph: SessionGraph): void {
  const counted = new Uint8Array(table.messages.size);
  for (let record = 0; record < graph.parents.length; record++) {
    const message = table.records.message.at(record);
    if (message === NONE || counted[message]) continue;
    counted[message] = 1;
    (totals[at(graph.threadOf, record)] as ThreadTotals).tokens += messageTokens(table, message);
  }
}

/** Counts the calls, and finds the last call or text of an answer. */
function addBlocks(
  totals: readonly ThreadTotals[],
  { records, blocks, calls }: SessionTable,
  { threadOf }: SessionGraph,
): void {
  for (let block = 0; block < blocks.size; block++) {
    // Records added after the graph was made are not part of it.
    const total = totals[at(threadOf, blocks.record.at(block))];
    if (!total) continue;
    const kind = blocks.kind.at(block);
    const isCall = kind === BlockKind.call && calls.use.at(blocks.call.at(block)) === block;
    if (isCall) total.toolCalls += 1;
    if (isCall || (kind === BlockKind.text && records.message.at(blocks.record.at(block)) !== NONE))
      total.lastBlock = block;
  }
}

function addToRounds(rounds: Round[], ms: number, isNext: boolean): void {
  const last = rounds.at(-1);
  if (!last || isNext) rounds.push({ startMs: ms, endMs: ms });
  else {
    last.startMs = Math.min(last.startMs, ms);
    last.endMs = Math.max(last.endMs, ms);
  }
}

function callsNothing({ records, blocks }: SessionTable, record: number): boolean {
  for (
    let block = records.firstBlock.at(record);
    block < blocks.size && blocks.record.at(block) === record;
    block++
  )
    if (blocks.kind.at(block) === BlockKind.call) return false;
  return true;
}

/** When a call was made, NaN where that is unknown. */
export function timeOfCall({ calls, blocks, records }: SessionTable, call: number): number {
  const use = call === NONE ? NONE : calls.use.at(call);
  return use === NONE ? Number.NaN : records.atMs.at(blocks.record.at(use));
}

/** Thread → 1 for agents that calls of some records started, and those that they started. */
export function threadsStartedBy(
  { calls, blocks }: SessionTable,
  graph: SessionGraph,
  isOne: (record: number) => boolean,
): Uint8Array {
  const started = new Uint8Array(graph.threads.length);
  const parentOf = graph.threads.map(({ call }) => {
    const use = call === NONE ? NONE : calls.use.at(call);
    return use === NONE ? NONE : blocks.record.at(use);
  });
  // An agent may precede the one that started it; each round finds at least one more, or it is the last.
  for (let more = true; more; ) {
    more = false;
    for (let thread = 1; thread < started.length; thread++) {
      const record = parentOf[thread] ?? NONE;
      if (at(started, thread) === 1 || record === NONE) continue;
      if (!isOne(record) && at(started, at(graph.threadOf, record)) === 0) continue;
      started[thread] = 1;
      more = true;
    }
  }
  return started;
}

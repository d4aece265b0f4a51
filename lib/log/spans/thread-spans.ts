import { isLaunch } from "@/lib/log/graph/agent-state";
import { isSpacer, type SessionGraph } from "@/lib/log/graph/session-graph";
import { CONVERSATION, INPUTS } from "@/lib/log/graph/steps";
import { reportedEnds } from "@/lib/log/rows/called-agent";
import { BlockKind, CallState, RecordKind } from "@/lib/log/table/kinds";
import { Asked, blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import type { SpanFlaw, SpanKind } from "@/lib/wire/spans";

const NONE = -1;

/** The state that spans are made from. */
type SpanSource =
  | "answer"
  | "compaction"
  | "call"
  | "permission"
  | "background"
  | "hook"
  | "command"
  | "agent"
  | "wait";

/** A stretch of a turn's time, with numbers of records, calls and threads. Times are epoch milliseconds. */
export type LogSpan = {
  kind: SpanKind;
  source: SpanSource;
  /** Index in the list of spans, -1 for none. */
  parent: number;
  turn: number;
  /** The thread that its row is in; of an agent's span the agent's. */
  thread: number;
  record: number;
  block: number;
  /** -1 for none. */
  call: number;
  /** For an agent's span: which piece of its work. */
  round: number;
  startMs: number;
  endMs: number;
  exact: boolean;
  flaw: SpanFlaw | null;
  background: boolean;
  /** For a call: the answer that asked for it. -1 for none. */
  after: number;
  /** Its own parts of the critical path, in order. */
  path: [fromMs: number, toMs: number][];
};

export type LogOf = {
  table: SessionTable;
  graph: SessionGraph;
  /** The agents that a call started, by call. */
  agentsOf: ReadonlyMap<number, readonly number[]>;
};

/** A part of a thread whose spans are added together. */
type Stretch = {
  records: Iterable<number>;
  thread: number;
  turn: number;
  /** The agent's span, -1 for the thread that is shown. */
  parent: number;
  /** When it was started; NaN where that is not known. */
  fromMs: number;
};

/** When a person gave a command, and its record. */
export type PersonsAct = { ms: number; record: number };

/** A span with defaults for everything else. All have the same fields in the same order: there may be many. */
export function newSpan(
  { turn, thread, parent }: Pick<LogSpan, "turn" | "thread" | "parent">,
  kind: SpanKind,
  source: SpanSource,
  record: number,
  startMs: number,
  endMs: number,
): LogSpan {
  return {
    kind,
    source,
    parent,
    turn,
    thread,
    record,
    block: 0,
    call: NONE,
    round: 0,
    startMs,
    endMs,
    exact: true,
    flaw: null,
    background: false,
    after: NONE,
    path: [],
  };
}

/**
 * Adds the spans of a stretch to the list: answers, calls and what belongs to them, compactions, hooks, commands.
 * A request is taken to have been sent as soon as all that it answers was there.
 * @returns the commands that people gave in it
 */
export function addStretch(log: LogOf, stretch: Stretch, spans: LogSpan[]): PersonsAct[] {
  const { table, graph } = log;
  const { records, blocks, calls } = table;
  const first = spans.length;
  const answers = new Map<number, number>();
  /** How many calls an answer asks for: those of one may wait for each other. */
  const beside = new Map<number, number>();
  const tools = new Map<number, number>();
  const people: PersonsAct[] = [];
  let command = NONE;
  /** The last compaction, where that is the last span of an earlier stretch or one of this. */
  let compaction = spans.at(-1);
  /** Everything that the next request could have been waiting for was there. */
  let readyMs = stretch.fromMs;
  let lastMs = stretch.fromMs;
  /** A request has been sent, and nothing of its answer has arrived yet. */
  let isAsked = false;
  for (const record of stretch.records) {
    if (graph.duplicates.has(record) || isSpacer(table, record)) continue;
    const ms = records.atMs.at(record);
    const kind = records.kind.at(record);
    lastMs = later(lastMs, ms);
    if (kind === RecordKind.assistant || kind === RecordKind.synthetic) addAnswer(record, ms);
    else if (kind === RecordKind.compactBoundary) addCompaction(record, ms);
    else if (kind === RecordKind.attachment && records.tookMs.at(record) > 0) addHook(record, ms);
    else if (kind === RecordKind.commandOutput && command !== NONE) addCommand(ms);
    // Up to 2.1.42 the part of an answer that had arrived by then is not logged.
    else if (kind === RecordKind.interruption && isAsked && ms > readyMs)
      add("model", "answer", record, readyMs, ms);
    if (CONVERSATION.has(kind)) isAsked = asksForAnswer(table, record);
    if (kind === RecordKind.command) {
      command = record;
      if (!Number.isNaN(ms)) people.push({ ms, record });
    }
    if (INPUTS.has(kind)) readyMs = later(readyMs, ms);
  }
  const end = spans.length;
  for (let index = first; index < end; index++) settle(spans[index] as LogSpan, lastMs);
  for (const [call, index] of tools) addPartsOfCall(call, index);
  return people;

  function add(kind: SpanKind, source: SpanSource, record: number, startMs: number, endMs: number): LogSpan {
    const span = newSpan(stretch, kind, source, record, startMs, endMs);
    spans.push(span);
    return span;
  }

  function addAnswer(record: number, ms: number): void {
    const message = records.message.at(record);
    let index = message === NONE ? undefined : answers.get(message);
    const known = index === undefined ? null : (spans[index] as LogSpan);
    if (known) known.endMs = later(known.endMs, ms);
    else {
      add("model", "answer", record, readyMs, ms);
      index = spans.length - 1;
      answers.set(message, index);
      // Everything before this is answered: the next request waits for what follows.
      if (!Number.isNaN(ms)) readyMs = ms;
    }
    readyMs = later(readyMs, ms);
    for (const block of blocksOf(table, record)) {
      const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
      if (call === NONE || calls.use.at(call) !== block || tools.has(call)) continue;
      const asks = toolNamed(table.tools.at(calls.tool.at(call)))?.asks === "question";
      beside.set(index as number, (beside.get(index as number) ?? 0) + 1);
      const span = add(asks ? "human" : "tool", "call", record, ms, endOf(call));
      span.block = blocks.index.at(block);
      span.call = call;
      span.after = index as number;
      tools.set(call, spans.length - 1);
    }
  }

  /** When a call's result came; infinite without a result. */
  function endOf(call: number): number {
    const result = resultOf(log, call);
    return result === NONE ? Number.POSITIVE_INFINITY : records.atMs.at(result);
  }

  function addCompaction(record: number, ms: number): void {
    const took = records.tookMs.at(record);
    const startMs = took > 0 ? ms - took : readyMs;
    compaction = add("model", "compaction", record, startMs, ms);
    compaction.exact = took > 0;
    readyMs = later(readyMs, ms);
  }

  function addHook(record: number, ms: number): void {
    const startMs = ms - records.tookMs.at(record);
    const call = table.callOfId[records.link.at(record)];
    const parent = call === undefined ? undefined : tools.get(call);
    add("tool", "hook", record, startMs, ms).parent = parent ?? stretch.parent;
    // A request waits for what a hook says to a prompt.
    if (parent === undefined) readyMs = later(readyMs, ms);
  }

  function addCommand(ms: number): void {
    const startMs = records.atMs.at(command);
    // What `/compact` did has a span already.
    const isTold = compaction?.source === "compaction" && compaction.endMs > startMs;
    if (ms > startMs && !isTold) add("tool", "command", command, startMs, ms);
    command = NONE;
  }

  /** Whether a call's times are its own, its wait for permission, and the work that continued after its result. */
  function addPartsOfCall(call: number, index: number): void {
    const span = spans[index] as LogSpan;
    const { record, block, startMs, endMs } = span;
    const addPart = (kind: SpanKind, source: SpanSource, toMs: number, exact: boolean): LogSpan => {
      const part = add(kind, source, record, startMs, toMs);
      part.block = block;
      part.call = call;
      part.parent = index;
      part.exact = exact;
      return part;
    };
    const result = resultOf(log, call);
    const took = result === NONE || isLaunch(table, call) ? 0 : tookMs(log, call, result);
    const asked = askedAbout(table, call);
    const isAlone = beside.get(span.after) === 1;
    span.exact &&= took > 0 || (isAlone && (span.kind === "human" || asked === Asked.nobody));
    if (span.kind === "human" || span.flaw !== null) return;
    if (asked === Asked.refused) {
      span.exact = isAlone;
      addPart("permission", "permission", endMs, isAlone);
    } else if (asked === Asked.person) {
      const runsMs = took > 0 ? Math.max(startMs, endMs - took) : endMs;
      addPart("permission", "permission", runsMs, took > 0);
    } else if (asked === Asked.unknown && calls.state.at(call) === CallState.refused)
      addPart("permission", "permission", endMs, false);
    const end = log.agentsOf.has(call) ? undefined : reportedEnds(table, graph).get(call);
    if (end !== undefined && end > endMs) addPart("tool", "background", end, true).background = true;
  }
}

/** Whether a request follows a line: a call that did not run to its end ends its turn. */
function asksForAnswer({ records, blocks, calls }: SessionTable, record: number): boolean {
  const kind = records.kind.at(record);
  if (kind !== RecordKind.results) return kind === RecordKind.prompt || kind === RecordKind.agentPrompt;
  const call = blocks.call.at(records.firstBlock.at(record));
  const state = call === NONE ? CallState.none : calls.state.at(call);
  return state === CallState.ok || state === CallState.error;
}

/** The record of a call's first result, -1 where the log has none yet. */
function resultOf({ table, graph }: LogOf, call: number): number {
  const block = table.calls.result.at(call);
  const record = block === NONE ? NONE : table.blocks.record.at(block);
  return record < graph.parents.length ? record : NONE;
}

/** The duration in a call's result; 0 where it has none, or has one of another call of its line. */
function tookMs({ table }: LogOf, call: number, result: number): number {
  const isOwn = table.records.firstBlock.at(result) === table.calls.result.at(call);
  return isOwn ? table.records.tookMs.at(result) : 0;
}

function askedAbout({ calls, tools }: SessionTable, call: number): number {
  const asked = calls.asked.at(call);
  const isNever = toolNamed(tools.at(calls.tool.at(call)))?.asks === "never";
  return asked === Asked.unknown && isNever ? Asked.nobody : asked;
}

/**
 * Gives a span times that can be drawn, and marks what was wrong with them.
 * @param lastMs of its stretch
 */
function settle(span: LogSpan, lastMs: number): void {
  const { startMs, endMs } = span;
  const knownMs = [startMs, endMs, lastMs].find((ms) => Number.isFinite(ms)) ?? 0;
  if (endMs === Number.POSITIVE_INFINITY) {
    span.flaw = Number.isNaN(startMs) ? "missing" : "open";
    span.startMs = knownMs;
    span.endMs = Math.max(knownMs, Number.isNaN(lastMs) ? knownMs : lastMs);
  } else if (Number.isNaN(startMs) || Number.isNaN(endMs)) {
    span.flaw = "missing";
    span.startMs = knownMs;
    span.endMs = knownMs;
  } else if (endMs < startMs) {
    span.flaw = "disordered";
    // An answer's end is its own time, a call's start is.
    if (span.source === "answer") span.startMs = endMs;
    else span.endMs = startMs;
  } else if (endMs === startMs) span.flaw = "equal";
  if (span.flaw) span.exact = false;
}

/** The later of two times, of which either may be unknown. */
function later(one: number, other: number): number {
  return other > one || Number.isNaN(one) ? other : one;
}

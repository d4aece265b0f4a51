import { isLaunch } from "@/lib/log/graph/agent-state";
import { isSpacer } from "@/lib/log/graph/session-graph";
import { CONVERSATION, INPUTS } from "@/lib/log/graph/steps";
import { reportedEnds } from "@/lib/log/rows/called-agent";
import { BlockKind, CallState, RecordKind } from "@/lib/log/table/kinds";
import { rareValue } from "@/lib/log/table/rare-values";
import { PermissionAsked } from "@/lib/log/table/session-columns";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import type { SpanKind } from "@/lib/wire/spans";
import { type LogOf, type LogSpan, newSpan, type SpanSource } from "./log-span";

const NONE = -1;

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

/**
 * Adds the spans of a stretch to the list: answers, calls and what belongs to them, compactions, hooks, commands.
 * A request is taken to have been sent as soon as all that it answers was there.
 * @returns the commands that people gave in it
 */
export function addStretch(log: LogOf, stretch: Stretch, spans: LogSpan[]): PersonsAct[] {
  return new StretchSpans(log, stretch, spans).add();
}

/** The spans of one stretch while its records are gone through. */
class StretchSpans {
  readonly #log: LogOf;
  readonly #stretch: Stretch;
  readonly #spans: LogSpan[];
  /** Message → the span of its answer. */
  readonly #answers = new Map<number, number>();
  /** How many calls an answer asks for: those of one may wait for each other. */
  readonly #beside = new Map<number, number>();
  /** Call → its span. */
  readonly #tools = new Map<number, number>();
  readonly #people: PersonsAct[] = [];
  /** The last command, until its output was there. */
  #command = NONE;
  /** The last compaction, where that is the last span of an earlier stretch or one of this. */
  #compaction: LogSpan | undefined;
  /** Everything that the next request could have been waiting for was there. */
  #readyMs: number;
  /** A request has been sent, and nothing of its answer has arrived yet. */
  #isAsked = false;

  constructor(log: LogOf, stretch: Stretch, spans: LogSpan[]) {
    this.#log = log;
    this.#stretch = stretch;
    this.#spans = spans;
    this.#compaction = spans.at(-1);
    this.#readyMs = stretch.fromMs;
  }

  add(): PersonsAct[] {
    const { table, graph } = this.#log;
    const first = this.#spans.length;
    let lastMs = this.#stretch.fromMs;
    for (const record of this.#stretch.records) {
      if (graph.duplicates.has(record) || isSpacer(table, record)) continue;
      lastMs = later(lastMs, table.records.atMs.at(record));
      this.#addRecord(record);
    }
    const end = this.#spans.length;
    for (let index = first; index < end; index++) settle(this.#spans[index] as LogSpan, lastMs);
    for (const [call, index] of this.#tools) this.#addPartsOfCall(call, index);
    return this.#people;
  }

  #addRecord(record: number): void {
    const { table } = this.#log;
    const { records } = table;
    const ms = records.atMs.at(record);
    const kind = records.kind.at(record);
    if (kind === RecordKind.assistant || kind === RecordKind.synthetic) this.#addAnswer(record, ms);
    else if (kind === RecordKind.compactBoundary) this.#addCompaction(record, ms);
    else if (kind === RecordKind.attachment && rareValue(table.tookMs, record) > 0) this.#addHook(record, ms);
    else if (kind === RecordKind.commandOutput && this.#command !== NONE) this.#addCommand(ms);
    // Up to 2.1.42 the part of an answer that had arrived by then is not logged.
    else if (kind === RecordKind.interruption && this.#isAsked && ms > this.#readyMs)
      this.#addSpan("model", "answer", record, this.#readyMs, ms);
    if (CONVERSATION.has(kind)) this.#isAsked = asksForAnswer(table, record);
    if (kind === RecordKind.command) {
      this.#command = record;
      if (!Number.isNaN(ms)) this.#people.push({ ms, record });
    }
    if (INPUTS.has(kind)) this.#readyMs = later(this.#readyMs, ms);
  }

  #addSpan(kind: SpanKind, source: SpanSource, record: number, startMs: number, endMs: number): LogSpan {
    const span = newSpan(this.#stretch, kind, source, record, { startMs, endMs });
    this.#spans.push(span);
    return span;
  }

  #addAnswer(record: number, ms: number): void {
    const { table } = this.#log;
    const message = table.records.message.at(record);
    let answer = message === NONE ? undefined : this.#answers.get(message);
    const known = answer === undefined ? undefined : this.#spans[answer];
    if (known) known.endMs = later(known.endMs, ms);
    else {
      this.#addSpan("model", "answer", record, this.#readyMs, ms);
      answer = this.#spans.length - 1;
      this.#answers.set(message, answer);
      // Everything before this is answered: the next request waits for what follows.
      if (!Number.isNaN(ms)) this.#readyMs = ms;
    }
    this.#readyMs = later(this.#readyMs, ms);
    for (const block of blocksOf(table, record)) this.#addCall(block, record, ms, answer as number);
  }

  /** Adds the call of a block that is one, and the first of it. */
  #addCall(block: number, record: number, ms: number, answer: number): void {
    const { blocks, calls, tools } = this.#log.table;
    const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
    if (call === NONE || calls.use.at(call) !== block || this.#tools.has(call)) return;
    const asks = toolNamed(tools.at(calls.tool.at(call)))?.asks === "question";
    this.#beside.set(answer, (this.#beside.get(answer) ?? 0) + 1);
    const span = this.#addSpan(asks ? "human" : "tool", "call", record, ms, this.#endOf(call));
    span.block = blocks.index.at(block);
    span.call = call;
    span.after = answer;
    this.#tools.set(call, this.#spans.length - 1);
  }

  /** When a call's result came; infinite without a result. */
  #endOf(call: number): number {
    const result = resultOf(this.#log, call);
    return result === NONE ? Number.POSITIVE_INFINITY : this.#log.table.records.atMs.at(result);
  }

  #addCompaction(record: number, ms: number): void {
    const took = rareValue(this.#log.table.tookMs, record);
    const startMs = took > 0 ? ms - took : this.#readyMs;
    const span = this.#addSpan("model", "compaction", record, startMs, ms);
    span.exact = took > 0;
    this.#compaction = span;
    this.#readyMs = later(this.#readyMs, ms);
  }

  #addHook(record: number, ms: number): void {
    const { table } = this.#log;
    const { records } = table;
    const startMs = ms - rareValue(table.tookMs, record);
    const call = table.callIn(records.file.at(record), records.link.at(record));
    const parent = call === undefined ? undefined : this.#tools.get(call);
    this.#addSpan("tool", "hook", record, startMs, ms).parent = parent ?? this.#stretch.parent;
    // A request waits for what a hook says to a prompt.
    if (parent === undefined) this.#readyMs = later(this.#readyMs, ms);
  }

  #addCommand(ms: number): void {
    const startMs = this.#log.table.records.atMs.at(this.#command);
    // What `/compact` did has a span already.
    const isTold = this.#compaction?.source === "compaction" && this.#compaction.endMs > startMs;
    if (ms > startMs && !isTold) this.#addSpan("tool", "command", this.#command, startMs, ms);
    this.#command = NONE;
  }

  /** Whether a call's times are its own, its wait for permission, and the work that continued after its result. */
  #addPartsOfCall(call: number, index: number): void {
    const { table, graph, agentsOf } = this.#log;
    const span = this.#spans[index] as LogSpan;
    const { record, block, startMs, endMs } = span;
    const addPart = (kind: SpanKind, source: SpanSource, toMs: number, exact: boolean): LogSpan => {
      const part = this.#addSpan(kind, source, record, startMs, toMs);
      part.block = block;
      part.call = call;
      part.parent = index;
      part.exact = exact;
      return part;
    };
    const result = resultOf(this.#log, call);
    const took = result === NONE || isLaunch(table, call) ? 0 : tookMs(this.#log, call, result);
    const asked = askedAbout(table, call);
    const isAlone = this.#beside.get(span.after) === 1;
    span.exact &&= took > 0 || (isAlone && (span.kind === "human" || asked === PermissionAsked.nobody));
    if (span.kind === "human" || span.flaw !== null) return;
    if (asked === PermissionAsked.refused) {
      span.exact = isAlone;
      addPart("permission", "permission", endMs, isAlone);
    } else if (asked === PermissionAsked.person) {
      const runsMs = took > 0 ? Math.max(startMs, endMs - took) : endMs;
      addPart("permission", "permission", runsMs, took > 0);
    } else if (asked === PermissionAsked.unknown && table.calls.state.at(call) === CallState.refused)
      addPart("permission", "permission", endMs, false);
    const end = agentsOf.has(call) ? undefined : reportedEnds(table, graph).get(call);
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
  return isOwn ? rareValue(table.tookMs, result) : 0;
}

function askedAbout({ calls, tools }: SessionTable, call: number): number {
  const asked = calls.asked.at(call);
  const isNever = toolNamed(tools.at(calls.tool.at(call)))?.asks === "never";
  return asked === PermissionAsked.unknown && isNever ? PermissionAsked.nobody : asked;
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

import { firstPlace } from "@/lib/format/lists";
import type { PreviousValues } from "@/lib/log/adding/previous-values";
import { addTime, NO_TIME, type SessionGraph, startsTurn, type Turn } from "@/lib/log/graph/session-graph";
import { BlockKind, isDenied, isFailure, RecordKind } from "@/lib/log/table/kinds";
import { messageTokens } from "@/lib/log/table/message-tokens";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";

const NONE = -1;

const NOTHING: PreviousValues = { calls: new Map(), tokens: new Map() };

/** Counts the turns of a path record by record, and can undo the count from a position on. */
export class TurnCounter {
  readonly turns: Turn[] = [];
  readonly #table: SessionTable;
  #agentsOfCall: ReadonlyMap<number, number> = new Map();
  /** Message → position of the record at which it is counted. */
  #countedAt = new Int32Array();
  /** Positions of compactions. */
  #compactions: number[] = [];
  #compaction = NONE;

  constructor(table: SessionTable) {
    this.#table = table;
  }

  /** Counts the records of a path from a position on. All before it must have been counted. */
  count(graph: SessionGraph, path: Int32Array, from: number): void {
    this.#agentsOfCall = agentsPerCall(graph);
    this.#countedAt = withCapacity(this.#countedAt, this.#table.messages.size, NONE);
    if (this.turns.length === 0) this.turns.push(newTurn(path[0] ?? NONE, 0, NONE));
    for (let position = from; position < path.length; position++)
      this.#add(graph, at(path, position), position);
  }

  /** Undoes what was counted from `position` on of this path, with the values of calls and messages in `before`. */
  cut(path: Int32Array, position: number, before: PreviousValues): void {
    const kept = position === 0 ? 0 : this.turnOf(position - 1);
    const end = this.turns[kept + 1]?.from ?? path.length;
    const turn = this.turns[kept] as Turn;
    for (let i = position; i < path.length; i++) {
      const record = at(path, i);
      const message = this.#table.records.message.at(record);
      const counted = message !== NONE && at(this.#countedAt, message) === i;
      if (counted) this.#countedAt[message] = NONE;
      if (i >= end) continue;
      this.#addBlocks(turn, record, -1, before);
      if (counted) turn.tokens -= before.tokens.get(message) ?? messageTokens(this.#table, message);
    }
    this.turns.length = kept + 1;
    if (position === 0) this.turns.length = 0;
    while ((this.#compactions.at(-1) ?? NONE) >= position) this.#compactions.pop();
    const last = this.#compactions.at(-1) ?? NONE;
    this.#compaction = last === NONE || last < turn.from ? NONE : at(path, last);
    if (position < end && position > 0) this.#recountTimes(turn, path, position);
  }

  /** Corrects what was counted before `end` by how calls and messages have changed since. */
  correct(
    before: PreviousValues,
    path: Int32Array,
    end: number,
    positionOf: (record: number) => number,
  ): void {
    const { calls, blocks } = this.#table;
    for (const [call, was] of before.calls) {
      const use = calls.use.at(call);
      const position = use === NONE ? NONE : positionOf(blocks.record.at(use));
      if (position === NONE || position >= end) continue;
      const index = this.turnOf(position);
      const turn = this.turns[index] as Turn;
      // A line that answers several calls is placed with its first one, so what follows the others is not counted
      // again. There is no pause if the call was still running.
      if (turn.hasRested) this.#recountTimes(turn, path, Math.min(end, this.turns[index + 1]?.from ?? end));
      else addTime(turn, this.#table, blocks.record.at(use));
      const state = calls.state.at(call);
      turn.errors += Number(isFailure(state)) - Number(was.failed);
      turn.denied += Number(isDenied(state)) - Number(was.denied);
      turn.added += calls.added.at(call) - was.added;
      turn.removed += calls.removed.at(call) - was.removed;
    }
    for (const [message, tokens] of before.tokens) {
      const position = this.#countedAt[message] ?? NONE;
      if (position === NONE || position >= end) continue;
      (this.turns[this.turnOf(position)] as Turn).tokens += messageTokens(this.#table, message) - tokens;
    }
  }

  /** Counts the agents of every turn again: they may belong to other calls now. */
  countAgents(graph: SessionGraph, positionOf: (record: number) => number): void {
    const { calls, blocks } = this.#table;
    for (const turn of this.turns) turn.agents = 0;
    for (const [call, agents] of agentsPerCall(graph)) {
      const use = calls.use.at(call);
      const position = use === NONE ? NONE : positionOf(blocks.record.at(use));
      if (position !== NONE) (this.turns[this.turnOf(position)] as Turn).agents += agents;
    }
  }

  /** True if a message is counted at this position: its first record on the path stands there. */
  beginsAt(message: number, position: number): boolean {
    return this.#countedAt[message] === position;
  }

  /** The turn that contains a position. */
  turnOf(position: number): number {
    const behind = firstPlace(0, this.turns.length, (turn) => (this.turns[turn] as Turn).from > position);
    return Math.max(0, behind - 1);
  }

  #add(graph: SessionGraph, record: number, position: number): void {
    const { records } = this.#table;
    if (records.kind.at(record) === RecordKind.compactBoundary) {
      this.#compaction = record;
      this.#compactions.push(position);
    }
    if (startsTurn(this.#table, graph, record)) {
      this.turns.push(newTurn(record, position, this.#compaction));
      this.#compaction = NONE;
    }
    const turn = this.turns.at(-1) as Turn;
    addTime(turn, this.#table, record);
    this.#addBlocks(turn, record, 1, NOTHING);
    const message = records.message.at(record);
    if (message === NONE || at(this.#countedAt, message) !== NONE) return;
    this.#countedAt[message] = position;
    turn.tokens += messageTokens(this.#table, message);
  }

  #addBlocks(turn: Turn, record: number, by: 1 | -1, before: PreviousValues): void {
    const { blocks, calls } = this.#table;
    for (const block of blocksOf(this.#table, record)) {
      if (blocks.kind.at(block) !== BlockKind.call) continue;
      const call = blocks.call.at(block);
      if (calls.use.at(call) !== block) continue;
      const was = before.calls.get(call);
      turn.toolCalls += by;
      const state = calls.state.at(call);
      if (was?.failed ?? isFailure(state)) turn.errors += by;
      if (was?.denied ?? isDenied(state)) turn.denied += by;
      turn.added += by * (was?.added ?? calls.added.at(call));
      turn.removed += by * (was?.removed ?? calls.removed.at(call));
      turn.agents += by * (this.#agentsOfCall.get(call) ?? 0);
    }
  }

  #recountTimes(turn: Turn, path: Int32Array, end: number): void {
    Object.assign(turn, NO_TIME);
    for (let position = turn.from; position < end; position++) addTime(turn, this.#table, at(path, position));
  }
}

const agentsOf = new WeakMap<SessionGraph, ReadonlyMap<number, number>>();

/** Call → how many agents it started. Counted once: each of thousands of agents has turns. */
function agentsPerCall(graph: SessionGraph): ReadonlyMap<number, number> {
  const known = agentsOf.get(graph);
  if (known) return known;
  const agents = new Map<number, number>();
  for (const thread of graph.threads)
    if (thread.call !== NONE && !thread.internal) agents.set(thread.call, (agents.get(thread.call) ?? 0) + 1);
  agentsOf.set(graph, agents);
  return agents;
}

/** As one literal: what is spread from parts takes half as much memory again, and a long session has thousands of turns. */
function newTurn(record: number, from: number, compactedBefore: number): Turn {
  return {
    record,
    from,
    toolCalls: 0,
    errors: 0,
    denied: 0,
    added: 0,
    removed: 0,
    agents: 0,
    tokens: 0,
    compactedBefore,
    startMs: NO_TIME.startMs,
    endMs: NO_TIME.endMs,
    pausedMs: NO_TIME.pausedMs,
    restMs: NO_TIME.restMs,
    hasRested: NO_TIME.hasRested,
  };
}

import { addCost, noCost, type PriceTable, type SummedCost } from "@/lib/cost/price-table";
import { requestsOf } from "@/lib/log/graph/session-cost";
import {
  addTime,
  NO_TIME,
  type Path,
  type SessionGraph,
  startsTurn,
  type TurnTime,
  turnMs,
} from "@/lib/log/graph/session-graph";
import { membersOf } from "@/lib/log/graph/steps";
import { threadsStartedBy } from "@/lib/log/graph/thread-totals";
import { isDenied, isFailure } from "@/lib/log/table/kinds";
import { messageTokens } from "@/lib/log/table/message-tokens";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * What part of a session did, with the agents that it started. `durationMs`: its turns' times together, NaN without any.
 * `toolsByName`: calls by the tool's name. `ownCalls`: the calls themselves, by number.
 */
export type CountedPart = {
  turns: number;
  agents: number;
  toolCalls: number;
  toolErrors: number;
  toolsDenied: number;
  durationMs: number;
  tokens: number;
  cost: SummedCost;
  added: number;
  removed: number;
  toolsByName: ReadonlyMap<string, number>;
  ownCalls: readonly number[];
};

/** Counts a part of a thread: `records` in reading order. Messages in `before` have been counted elsewhere. */
export function figuresOf(
  table: SessionTable,
  graph: SessionGraph,
  records: readonly number[],
  before: ReadonlySet<number>,
  prices: PriceTable,
): CountedPart {
  const isOwn = new Uint8Array(graph.parents.length);
  for (const record of records) isOwn[record] = 1;
  let turns = 0;
  const times = new WorkedTime();
  for (const record of records) {
    const starts = startsTurn(table, graph, record);
    if (starts) turns += 1;
    times.add(table, record, starts);
  }
  let agents = 0;
  const started = threadsStartedBy(table, graph, (record) => at(isOwn, record) === 1);
  for (const [index, thread] of graph.threads.entries())
    if (at(started, index) === 1 && thread.agentId !== null && !thread.internal) agents += 1;
  for (let record = 0; record < isOwn.length; record++)
    if (at(started, at(graph.threadOf, record)) === 1) isOwn[record] = 1;
  return {
    turns,
    agents,
    durationMs: times.sum,
    ...usageOfRecords(table, isOwn, before, prices),
    ...callsOfRecords(table, isOwn),
  };
}

/** The time of turns, without the pauses between them. */
class WorkedTime {
  #sum = Number.NaN;
  #turn: TurnTime = { ...NO_TIME };

  add(table: SessionTable, record: number, startsTurn: boolean): void {
    if (startsTurn) this.#close();
    addTime(this.#turn, table, record);
  }

  get sum(): number {
    this.#close();
    return this.#sum;
  }

  #close(): void {
    const ms = turnMs(this.#turn);
    if (!Number.isNaN(ms)) this.#sum = (Number.isNaN(this.#sum) ? 0 : this.#sum) + ms;
    this.#turn = { ...NO_TIME };
  }
}

function usageOfRecords(
  table: SessionTable,
  isOwn: Readonly<Uint8Array>,
  before: ReadonlySet<number>,
  prices: PriceTable,
): Pick<CountedPart, "tokens" | "cost"> {
  const counted = new Set(before);
  const cost = noCost();
  let tokens = 0;
  for (let record = 0; record < isOwn.length; record++) {
    const message = at(isOwn, record) === 1 ? table.records.message.at(record) : NONE;
    if (message === NONE || counted.has(message)) continue;
    counted.add(message);
    tokens += messageTokens(table, message);
    for (const request of requestsOf(table, message)) addCost(cost, prices.cost(request));
  }
  return { tokens, cost };
}

function callsOfRecords(
  table: SessionTable,
  isOwn: Readonly<Uint8Array>,
): Pick<
  CountedPart,
  "toolCalls" | "toolErrors" | "toolsDenied" | "added" | "removed" | "toolsByName" | "ownCalls"
> {
  const { calls, blocks, tools } = table;
  const toolsByName = new Map<string, number>();
  const ownCalls: number[] = [];
  const sum = { toolCalls: 0, toolErrors: 0, toolsDenied: 0, added: 0, removed: 0 };
  for (let call = 0; call < calls.size; call++) {
    const use = calls.use.at(call);
    if (use === NONE || (isOwn[blocks.record.at(use)] ?? 0) === 0 || table.isCopy(call)) continue;
    ownCalls.push(call);
    const name = tools.at(calls.tool.at(call)) ?? "";
    toolsByName.set(name, (toolsByName.get(name) ?? 0) + 1);
    sum.toolCalls += 1;
    const state = calls.state.at(call);
    if (isFailure(state)) sum.toolErrors += 1;
    if (isDenied(state)) sum.toolsDenied += 1;
    sum.added += calls.added.at(call);
    sum.removed += calls.removed.at(call);
  }
  return { ...sum, toolsByName, ownCalls };
}

/**
 * Work that was begun from a branch and abandoned: the own records of other branches, and the number of those branches.
 */
export type Abandoned = { branches: number; records: number[] };

const UNKNOWN = -2;
const BESIDE = -3;

/**
 * The branches that leave a path at or after a position, in the order of the logs: attempts that were abandoned.
 * @param thread whose path it is
 * @param beside the path of the same session that it is compared with, of which nothing counts here; or `null`
 */
export function abandonedFrom(
  graph: SessionGraph,
  thread: number,
  path: Path,
  from: number,
  beside: Path | null,
): Abandoned {
  const { steps } = graph;
  /** Step → the position on the path where the branch to it leaves; -1 for a root of its own. */
  const leavesAt = new Int32Array(steps.count).fill(UNKNOWN);
  for (const record of beside?.records ?? []) leavesAt[at(steps.of, record)] = BESIDE;
  for (const [position, record] of path.records.entries()) leavesAt[at(steps.of, record)] = position;
  const found: Abandoned = { branches: 0, records: [] };
  for (const { leaf } of graph.branches[thread] ?? []) {
    const own: number[] = [];
    let step = leaf;
    while (step !== NONE && at(leavesAt, step) === UNKNOWN) {
      own.push(step);
      step = at(steps.parent, step);
    }
    const position = step === NONE ? NONE : at(leavesAt, step);
    for (const one of own) leavesAt[one] = position;
    // A branch without steps of its own only goes back: it abandons nothing.
    const leaves = position >= from || (position === NONE && from === 0);
    if (!leaves || own.length === 0) continue;
    found.branches += 1;
    for (const one of own.reverse()) for (const record of membersOf(steps, one)) found.records.push(record);
  }
  found.records.sort((a, b) => a - b);
  return found;
}

import {
  addCost,
  noCost,
  type PricedRequest,
  type PriceTable,
  type SummedCost,
  toCost,
} from "@/lib/cost/price-table";
import { pricedTokens } from "@/lib/log/table/message-tokens";
import { Terms } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { RequestUsage } from "@/lib/wire/usage";
import type { Path, SessionGraph } from "./session-graph";
import { threadsStartedBy } from "./thread-totals";

const NONE = -1;

/** A message as the request that it answers. */
export function requestOf(table: SessionTable, message: number): PricedRequest {
  const { messages, models } = table;
  const terms = messages.terms.at(message);
  return {
    model: models.at(messages.model.at(message)) ?? "",
    atMs: messages.atMs.at(message),
    tokens: pricedTokens(table, message),
    webSearches: messages.webSearches.at(message),
    fast: (terms & Terms.fast) !== 0,
    usOnly: (terms & Terms.usOnly) !== 0,
    passes: table.passes.of(message),
  };
}

/** A message and its advisor's, as the requests that they answer. */
export function requestsOf(table: SessionTable, message: number): PricedRequest[] {
  return [message, ...table.advised.of(message)].map((one) => requestOf(table, one));
}

/** What all messages of a session cost, agents included, each once. */
export function sumCost(table: SessionTable, prices: PriceTable): SummedCost {
  const sum = noCost();
  for (let message = 0; message < table.messages.size; message++)
    addCost(sum, prices.cost(requestOf(table, message)));
  return sum;
}

/** Requests while they are added up. Each message must be added once. */
export class UsageSum {
  readonly cost = noCost();
  readonly #tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  readonly #models = new Set<string>();

  add(request: PricedRequest, prices: PriceTable): void {
    const { tokens } = request;
    const { input, output, cacheRead, cacheWrite1h } = tokens;
    const cacheWrite5m = Math.max(tokens.cacheWrite5m, tokens.cacheWrite - cacheWrite1h);
    const sum = this.#tokens;
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
    sum.cacheWrite5m += cacheWrite5m;
    sum.cacheWrite1h += cacheWrite1h;
    addCost(this.cost, prices.cost(request));
    if (input + output + cacheRead + cacheWrite5m + cacheWrite1h > 0) this.#models.add(request.model);
  }

  /** Adds what a message used, and its advisor. */
  addMessage(table: SessionTable, message: number, prices: PriceTable): void {
    for (const request of requestsOf(table, message)) this.add(request, prices);
  }

  /** Adds the sum of other messages. */
  addAll(other: UsageSum): void {
    for (const kind of TOKEN_KINDS) this.#tokens[kind] += other.#tokens[kind];
    for (const model of other.#models) this.#models.add(model);
    addCost(this.cost, other.cost);
  }

  /** The sum as an answer has it; null where the log counts no tokens. */
  get usage(): RequestUsage | null {
    if (this.#models.size === 0) return null;
    return { ...this.#tokens, cost: toCost(this.cost), models: [...this.#models] };
  }
}

const TOKEN_KINDS = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;

/** What the request of a message used; null where the log counts no tokens. */
export function usageOfMessage(
  table: SessionTable,
  message: number,
  prices: PriceTable,
): RequestUsage | null {
  const sum = new UsageSum();
  if (message !== NONE) sum.addMessage(table, message, prices);
  return sum.usage;
}

const usagesOf = new WeakMap<SessionGraph, UsageSum[]>();

/** What each thread's own requests used, without those of the agents that it started; counted once for a graph. */
export function threadUsages(
  table: SessionTable,
  graph: SessionGraph,
  prices: PriceTable,
): readonly UsageSum[] {
  const known = usagesOf.get(graph);
  if (known) return known;
  const sums = graph.threads.map(() => new UsageSum());
  const counted = new Uint8Array(table.messages.size);
  for (let record = 0; record < graph.parents.length; record++) {
    const message = table.records.message.at(record);
    const sum = sums[at(graph.threadOf, record)];
    if (message === NONE || counted[message] || !sum) continue;
    counted[message] = 1;
    sum.addMessage(table, message, prices);
  }
  usagesOf.set(graph, sums);
  return sums;
}

/**
 * What a turn of a path used: its own requests, each in the turn in which its answer begins, and those of the agents that
 * it started, with all that they started. Null where the log counts no tokens.
 */
export function turnUsage(
  table: SessionTable,
  graph: SessionGraph,
  path: Path,
  turn: number,
  prices: PriceTable,
): { own: RequestUsage | null; agents: RequestUsage | null } {
  const from = path.turns[turn]?.from ?? 0;
  const to = path.turns[turn + 1]?.from ?? path.records.length;
  const own = new UsageSum();
  for (let position = from; position < to; position++) {
    const message = table.records.message.at(at(path.records, position));
    if (message !== NONE && path.beginsAt(message, position)) own.addMessage(table, message, prices);
  }
  const agents = new UsageSum();
  if (path.turns[turn]?.agents) {
    const records = new Set(path.records.subarray(from, to));
    const started = threadsStartedBy(table, graph, (record) => records.has(record));
    const usages = threadUsages(table, graph, prices);
    for (const [thread, usage] of usages.entries()) if (at(started, thread) === 1) agents.addAll(usage);
  }
  return { own: own.usage, agents: agents.usage };
}

/**
 * The client's own figure for a session, in millionths of a dollar: its total, or else the sum of what it wrote for
 * messages.
 */
export function reportedCost({ clientCosts, messages }: SessionTable): number | null {
  const [total] = clientCosts;
  if (total !== undefined) return total;
  let sum = 0;
  for (let message = 0; message < messages.size; message++) sum += messages.reported.at(message);
  return sum === 0 ? null : sum;
}

import { addCost, type Cost, noCost, type PricedRequest, type PriceTable } from "@/lib/cost/price-table";
import { type SessionTable, Terms } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";

const NONE = -1;

/** A message as the request that it answers. */
export function requestOf({ messages, models }: SessionTable, message: number): PricedRequest {
  const terms = messages.terms.at(message);
  return {
    model: models.at(messages.model.at(message)) ?? "",
    atMs: messages.atMs.at(message),
    input: messages.input.at(message),
    output: messages.output.at(message),
    cacheRead: messages.cacheRead.at(message),
    cacheWrite: messages.cacheWrite.at(message),
    cacheWrite5m: messages.cacheWrite5m.at(message),
    cacheWrite1h: messages.cacheWrite1h.at(message),
    webSearches: messages.webSearches.at(message),
    fast: (terms & Terms.fast) !== 0,
    usOnly: (terms & Terms.usOnly) !== 0,
  };
}

/** What all messages of a session cost, agents included, each once. */
export function sumCost(table: SessionTable, prices: PriceTable): Cost {
  const sum = noCost();
  for (let message = 0; message < table.messages.size; message++)
    addCost(sum, prices.cost(requestOf(table, message)));
  return sum;
}

const costsOf = new WeakMap<SessionGraph, Cost[]>();

/** What each thread's own messages cost, without those of the agents that it started; counted once for a graph. */
export function threadCosts(table: SessionTable, graph: SessionGraph, prices: PriceTable): readonly Cost[] {
  const known = costsOf.get(graph);
  if (known) return known;
  const costs = graph.threads.map(noCost);
  const counted = new Uint8Array(table.messages.size);
  for (let record = 0; record < graph.parents.length; record++) {
    const message = table.records.message.at(record);
    const cost = costs[at(graph.threadOf, record)];
    if (message === NONE || counted[message] || !cost) continue;
    counted[message] = 1;
    addCost(cost, prices.cost(requestOf(table, message)));
  }
  costsOf.set(graph, costs);
  return costs;
}

/** What the client itself wrote down of a session, in millionths of a dollar: its total, else what it wrote of messages. */
export function reportedCost({ clientCosts, messages }: SessionTable): number | null {
  const [total] = clientCosts;
  if (total !== undefined) return total;
  let sum = 0;
  for (let message = 0; message < messages.size; message++) sum += messages.reported.at(message);
  return sum === 0 ? null : sum;
}

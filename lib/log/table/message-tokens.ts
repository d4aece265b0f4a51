import type { PricedTokens } from "@/lib/cost/price-table";
import type { SessionTable } from "./session-table";

/** All tokens of a message, over its passes, without its advisor's. */
export function pricedTokens({ messages }: SessionTable, message: number): PricedTokens {
  return {
    input: messages.input.at(message),
    output: messages.output.at(message),
    cacheRead: messages.cacheRead.at(message),
    cacheWrite: messages.cacheWrite.at(message),
    cacheWrite5m: messages.cacheWrite5m.at(message),
    cacheWrite1h: messages.cacheWrite1h.at(message),
  };
}

/**
 * What the first pass of a message was sent and made: all of a message that was made in one. What its request found in
 * the cache is what this pass read.
 */
export function firstPass(table: SessionTable, message: number): PricedTokens {
  return table.passes.of(message)?.[0] ?? pricedTokens(table, message);
}

/** The same of the last pass, which was sent what those before it had made: with it the context is as full as it gets. */
export function lastPass(table: SessionTable, message: number): PricedTokens {
  return table.passes.of(message)?.at(-1) ?? pricedTokens(table, message);
}

/** How many tokens the context of a message holds: all that its last pass was sent, from the cache and not. */
export function contextTokens(table: SessionTable, message: number): number {
  const { input, cacheRead, cacheWrite } = lastPass(table, message);
  return input + cacheRead + cacheWrite;
}

/** The sum of input, output and cache tokens of a message, and of its advisor's. */
export function messageTokens(table: SessionTable, message: number): number {
  let sum = tokensOf(table, message);
  for (const advisor of table.advised.of(message)) sum += tokensOf(table, advisor);
  return sum;
}

function tokensOf({ messages }: SessionTable, message: number): number {
  return (
    messages.input.at(message) +
    messages.output.at(message) +
    messages.cacheWrite.at(message) +
    messages.cacheRead.at(message)
  );
}

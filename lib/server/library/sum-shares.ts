import { noUsage } from "@/lib/log/graph/session-counts";
import { SHARED_COUNTS } from "@/lib/log/graph/session-share";
import type { Totals } from "@/lib/wire/totals";
import type { NumberedShare } from "./numbered-share";

const COUNTS = SHARED_COUNTS.length;

/** Totals of nothing. */
export function noTotals(): Totals {
  return { turns: 0, messages: 0, usage: noUsage() };
}

/**
 * The totals of some sessions, each message and turn once. Of a message that several hold the greatest
 * counts are the true ones, as of its lines within a session.
 */
export function sumShares(shares: readonly NumberedShare[], messageCount: number, turnCount: number): Totals {
  const totals = noTotals();
  const held = timesHeld(shares, messageCount);
  const repeated = new Map<number, Uint32Array>();
  const sums = new Float64Array(COUNTS);
  for (const { messages, counts } of shares) {
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i] as number;
      if (held[message] === 1) {
        totals.messages += 1;
        for (let column = 0; column < COUNTS; column++)
          sums[column] = (sums[column] as number) + (counts[column]?.[i] ?? 0);
        continue;
      }
      const greatest = repeated.get(message) ?? new Uint32Array(COUNTS);
      repeated.set(message, greatest);
      for (let column = 0; column < COUNTS; column++)
        greatest[column] = Math.max(greatest[column] as number, counts[column]?.[i] ?? 0);
    }
  }
  for (const greatest of repeated.values()) {
    totals.messages += 1;
    for (let column = 0; column < COUNTS; column++)
      sums[column] = (sums[column] as number) + (greatest[column] as number);
  }
  for (const [column, name] of SHARED_COUNTS.entries()) totals.usage[name] = sums[column] as number;
  totals.turns = countTurns(shares, turnCount);
  return totals;
}

/** 1 for a message that one session holds, 2 for one that several do. */
function timesHeld(shares: readonly NumberedShare[], messageCount: number): Uint8Array {
  const held = new Uint8Array(messageCount);
  for (const { messages } of shares) {
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i] as number;
      held[message] = Math.min(2, (held[message] as number) + 1);
    }
  }
  return held;
}

function countTurns(shares: readonly NumberedShare[], turnCount: number): number {
  const seen = new Uint8Array(turnCount);
  let count = 0;
  for (const { turns } of shares) {
    for (let i = 0; i < turns.length; i++) {
      const turn = turns[i] as number;
      count += 1 - (seen[turn] as number);
      seen[turn] = 1;
    }
  }
  return count;
}

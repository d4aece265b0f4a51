import { noCost, type SummedCost, toCost } from "@/lib/cost/price-table";
import { noUsage } from "@/lib/log/graph/session-counts";
import {
  FACTS_WORD,
  KEY_WORDS,
  MESSAGE_WORDS,
  MODEL_WORD,
  SECOND_WORD,
  SHARED_COUNTS,
} from "@/lib/log/graph/session-share";
import type { HashIndex } from "@/lib/log/table/hash-index";
import { withCapacity } from "@/lib/log/table/table";
import type { Totals } from "@/lib/wire/library";

/**
 * Token counts of messages, one column per kind of count; null for a column of zeros, which most sessions have some of.
 */
type Counts = readonly (Uint32Array | null)[];

/** `seconds`: as in a SessionShare. `facts`: as the library packs them. `microUsd`: see `Pricing`. `cost`: of all of them. */
type NumberedMessages = {
  messages: Int32Array;
  counts: Counts;
  seconds: Uint32Array;
  facts: Uint32Array;
  microUsd: Uint32Array;
  cost: SummedCost;
};

/** The cost of a message that has no price. */
export const UNPRICED = 0xffffffff;

/**
 * What a message costs, in millionths of a dollar, UNPRICED without a price.
 * @param counts in the order of SHARED_COUNTS
 * @param message its number in the library
 */
export type Pricing = (counts: ArrayLike<number>, second: number, facts: number, message: number) => number;

/** Converts a message's words of its model and facts to one number of the library, and computes its cost. */
export type Conversion = { toLibrary: (model: number, facts: number) => number; price: Pricing };

/** A session's messages and turns by their numbers in the library, each once, with the tokens of each message. */
export type NumberedShare = NumberedMessages & { turns: Int32Array };

/** The messages of a share. The counts of a message that occurs several times are the maxima. */
export function numberMessages(
  words: Uint32Array,
  index: HashIndex,
  { toLibrary, price }: Conversion,
): NumberedMessages {
  const indexOf = new Map<number, number>();
  const indexes = new Int32Array(words.length / MESSAGE_WORDS);
  for (let i = 0; i < indexes.length; i++) {
    const message = index.internWords(words, i * MESSAGE_WORDS);
    const nth = indexOf.get(message) ?? indexOf.size;
    indexOf.set(message, nth);
    indexes[i] = nth;
  }
  const counts = SHARED_COUNTS.map((_, column) => {
    const given = Uint32Array.from(
      indexes,
      (_, i) => words[i * MESSAGE_WORDS + KEY_WORDS + column] as number,
    );
    return greatest(null, given, indexes, indexOf.size);
  });
  const seconds = new Uint32Array(indexOf.size);
  const facts = new Uint32Array(indexOf.size);
  for (let i = 0; i < indexes.length; i++) {
    const [nth, from] = [indexes[i] as number, i * MESSAGE_WORDS];
    seconds[nth] = words[from + SECOND_WORD] as number;
    facts[nth] = toLibrary(words[from + MODEL_WORD] as number, words[from + FACTS_WORD] as number);
  }
  const messages = Int32Array.from(indexOf.keys());
  const microUsd = pricesOf(messages, counts, seconds, facts, price);
  const cost = costOf({ counts, microUsd }, microUsd.keys());
  return { messages, counts, seconds, facts, microUsd, cost };
}

/**
 * The same share with its columns in one piece of memory: as separate pieces the columns of a small session take
 * several times as much as their contents. None begins at the start of the piece, which distinguishes them from columns
 * that may grow.
 */
export function packShare(share: NumberedShare): NumberedShare {
  const { messages, counts, seconds, facts, microUsd, cost, turns } = share;
  const columns = [messages, seconds, facts, microUsd, turns, ...counts.filter((column) => column !== null)];
  const words = columns.reduce((sum, { length }) => sum + length, 1);
  const memory = new Uint32Array(words);
  let end = 1;
  const put = (column: Int32Array | Uint32Array): number => {
    memory.set(column, end);
    end += column.length;
    return (end - column.length) * memory.BYTES_PER_ELEMENT;
  };
  const unsigned = (column: Uint32Array) => new Uint32Array(memory.buffer, put(column), column.length);
  const signed = (column: Int32Array) => new Int32Array(memory.buffer, put(column), column.length);
  return {
    messages: signed(messages),
    counts: counts.map((column) => column && unsigned(column)),
    seconds: unsigned(seconds),
    facts: unsigned(facts),
    microUsd: unsigned(microUsd),
    cost,
    turns: signed(turns),
  };
}

/** A column that may grow in place: one that `packShare` has placed is followed by another one. */
function growing<Column extends Int32Array | Uint32Array>(column: Column): Column {
  return column.byteOffset > 0 ? (column.slice() as Column) : column;
}

function pricesOf(
  messages: Int32Array,
  counts: Counts,
  seconds: Uint32Array,
  facts: Uint32Array,
  price: Pricing,
): Uint32Array {
  const one = new Uint32Array(COUNTS);
  return seconds.map((second, i) => {
    for (let column = 0; column < COUNTS; column++) one[column] = counts[column]?.[i] ?? 0;
    return price(one, second, facts[i] as number, messages[i] as number);
  });
}

/**
 * A share extended by messages written since; it shares memory with the original where there is room. `added`: its new
 * messages.
 * @param firstNew messages from this number on were in no session before
 */
export function extendShare(
  before: NumberedMessages,
  { messages, counts, seconds, facts }: NumberedMessages,
  price: Pricing,
  firstNew: number,
): { share: NumberedMessages; added: Int32Array } {
  const known = growing(before.messages);
  const knownCounts = before.counts.map((column) => column && growing(column));
  const [knownSeconds, knownFacts] = [growing(before.seconds), growing(before.facts)];
  const knownMicroUsd = growing(before.microUsd);
  const indexOf = new Map<number, number>();
  const sought = new Set(messages.filter((message) => message < firstNew));
  // Lines of a message are close to each other: one that has grown is among the last.
  for (let index = known.length - 1; sought.size > 0 && index >= 0; index--) {
    const message = known[index] as number;
    if (sought.delete(message)) indexOf.set(message, index);
  }
  const added = messages.filter((message) => !indexOf.has(message));
  const replaced = costOf({ counts: knownCounts, microUsd: knownMicroUsd }, indexOf.values());
  for (const [index, message] of added.entries()) indexOf.set(message, known.length + index);
  const all = withCapacity(known, known.length + added.length, 0);
  all.set(added, known.length);
  const indexes = messages.map((message) => indexOf.get(message) as number);
  const allCounts = SHARED_COUNTS.map((_, column) =>
    greatest(knownCounts[column] ?? null, counts[column] ?? null, indexes, all.length),
  );
  const allSeconds = withGiven(knownSeconds, seconds, indexes, all.length);
  const allFacts = withGiven(knownFacts, facts, indexes, all.length);
  const microUsd = withCapacity(knownMicroUsd, all.length, 0);
  const one = new Uint32Array(COUNTS);
  for (const index of indexes) {
    for (let column = 0; column < COUNTS; column++) one[column] = allCounts[column]?.[index] ?? 0;
    const [second, packed, message] = [allSeconds[index], allFacts[index], all[index]] as [
      number,
      number,
      number,
    ];
    microUsd[index] = price(one, second, packed, message);
  }
  const given = costOf({ counts: allCounts, microUsd }, indexes);
  const cost = {
    microUsd: before.cost.microUsd - replaced.microUsd + given.microUsd,
    unpricedTokens: before.cost.unpricedTokens - replaced.unpricedTokens + given.unpricedTokens,
  };
  const share = { messages: all, counts: allCounts, seconds: allSeconds, facts: allFacts, microUsd, cost };
  return { share, added };
}

/** A column for `size` messages in which given values replace those before. */
function withGiven(known: Uint32Array, given: Uint32Array, indexes: Int32Array, size: number): Uint32Array {
  const column = withCapacity(known, size, 0);
  for (const [i, index] of indexes.entries()) column[index] = given[i] as number;
  return column;
}

/** The part of a share with the given messages and turns. */
export function subsetOf(
  { messages, counts, turns, seconds, facts, microUsd }: NumberedShare,
  wantsMessage: (message: number) => boolean,
  wantsTurn: (turn: number) => boolean,
): NumberedShare {
  const indexes: number[] = [];
  for (let i = 0; i < messages.length; i++) if (wantsMessage(messages[i] as number)) indexes.push(i);
  return {
    messages: Int32Array.from(indexes, (i) => messages[i] as number),
    counts: counts.map((column) => column && Uint32Array.from(indexes, (i) => column[i] as number)),
    seconds: Uint32Array.from(indexes, (i) => seconds[i] as number),
    facts: Uint32Array.from(indexes, (i) => facts[i] as number),
    microUsd: Uint32Array.from(indexes, (i) => microUsd[i] as number),
    cost: costOf({ counts, microUsd }, indexes),
    turns: turns.filter(wantsTurn),
  };
}

/** A column for `size` messages in which given values replace smaller ones. */
function greatest(
  known: Uint32Array | null,
  given: Uint32Array | null,
  indexes: Int32Array,
  size: number,
): Uint32Array | null {
  const isGiven = given?.some((count) => count > 0) ?? false;
  if (!known && !isGiven) return null;
  const column = known ? withCapacity(known, size, 0) : new Uint32Array(size);
  for (const [i, index] of isGiven ? indexes.entries() : [])
    column[index] = Math.max(column[index] as number, given?.[i] ?? 0);
  return column;
}

const COUNTS = SHARED_COUNTS.length;

/** Zero totals. */
export function noTotals(): Totals {
  return { turns: 0, messages: 0, usage: noUsage(), cost: toCost(noCost()) };
}

/** A message of several sessions, each message once. `share`: the first that contains it, `at`: its index there. */
export type VisitedMessage = {
  share: number;
  at: number;
  second: number;
  facts: number;
  /** In the order of SHARED_COUNTS; valid during the visit. */
  counts: Uint32Array;
  /** UNPRICED without a price. */
  microUsd: number;
};

/**
 * Visits each message of these sessions once, in the first that contains it; the object is the same in all visits. For
 * a message in several sessions the maximum counts are correct, as for its lines within a session.
 */
export function visitMessages(
  shares: readonly NumberedShare[],
  messageCount: number,
  price: Pricing,
  visit: (message: VisitedMessage) => void,
): void {
  const held = timesHeld(shares, messageCount);
  const repeated = new Map<number, VisitedMessage>();
  const visited: VisitedMessage = {
    share: 0,
    at: 0,
    second: 0,
    facts: 0,
    counts: new Uint32Array(COUNTS),
    microUsd: 0,
  };
  const one = visited.counts;
  for (const [share, { messages, counts, seconds, facts, microUsd }] of shares.entries()) {
    visited.share = share;
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i] as number;
      if (held[message] === 1) {
        for (let column = 0; column < COUNTS; column++) one[column] = counts[column]?.[i] ?? 0;
        visited.at = i;
        visited.second = seconds[i] as number;
        visited.facts = facts[i] as number;
        visited.microUsd = microUsd[i] as number;
        visit(visited);
        continue;
      }
      const known = repeated.get(message);
      const merged = known ?? {
        ...visited,
        at: i,
        second: seconds[i] as number,
        facts: facts[i] as number,
        counts: new Uint32Array(COUNTS),
      };
      if (!known) repeated.set(message, merged);
      for (let column = 0; column < COUNTS; column++)
        merged.counts[column] = Math.max(merged.counts[column] as number, counts[column]?.[i] ?? 0);
    }
  }
  for (const [message, merged] of repeated) {
    merged.microUsd = price(merged.counts, merged.second, merged.facts, message);
    visit(merged);
  }
}

/** The totals of some sessions, each message and turn counted once. */
export function sumShares(
  shares: readonly NumberedShare[],
  messageCount: number,
  turnCount: number,
  price: Pricing,
): Totals {
  const totals = noTotals();
  const sums = new Float64Array(COUNTS);
  const cost = noCost();
  visitMessages(shares, messageCount, price, ({ counts, microUsd }) => {
    totals.messages += 1;
    for (let column = 0; column < COUNTS; column++)
      sums[column] = (sums[column] as number) + (counts[column] as number);
    if (microUsd === UNPRICED) cost.unpricedTokens += tokensOfCounts(counts);
    else cost.microUsd += microUsd;
  });
  for (const [column, name] of SHARED_COUNTS.entries()) totals.usage[name] = sums[column] as number;
  totals.turns = countTurns(shares, turnCount);
  totals.cost = toCost(cost);
  return totals;
}

/** The total cost of some messages of a session. */
function costOf(
  { counts, microUsd }: Pick<NumberedMessages, "counts" | "microUsd">,
  at: Iterable<number>,
): SummedCost {
  const cost = noCost();
  for (const i of at) {
    if (microUsd[i] === UNPRICED)
      cost.unpricedTokens += tokensOfCounts(counts.map((column) => column?.[i] ?? 0));
    else cost.microUsd += microUsd[i] as number;
  }
  return cost;
}

const [INPUT, OUTPUT, WRITE, WRITE_5M, WRITE_1H, READ] = [0, 1, 2, 3, 4, 5];

/** All tokens of a message by its counts, each once. */
export function tokensOfCounts(counts: ArrayLike<number>): number {
  const of = (column: number) => counts[column] ?? 0;
  return of(INPUT) + of(OUTPUT) + of(READ) + Math.max(of(WRITE), of(WRITE_5M) + of(WRITE_1H));
}

/** 1 for a message in one session, 2 for one in several. */
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

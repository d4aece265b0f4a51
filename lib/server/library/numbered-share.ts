import { noUsage } from "@/lib/log/graph/session-counts";
import { KEY_WORDS, MESSAGE_WORDS, SHARED_COUNTS } from "@/lib/log/graph/session-share";
import type { HashIndex } from "@/lib/log/table/hash-index";
import { withCapacity } from "@/lib/log/table/table";
import type { Totals } from "@/lib/wire/library";

/**
 * Token counts of messages, one column per kind of count; null for a column of zeros, which most sessions have some of.
 */
type Counts = readonly (Uint32Array | null)[];

type NumberedMessages = { messages: Int32Array; counts: Counts };

/** A session's messages and turns by their numbers in the library, each once, with the tokens of each message. */
export type NumberedShare = NumberedMessages & { turns: Int32Array };

/** The messages of a share. The counts of a message that occurs several times are the maxima. */
export function numberMessages(words: Uint32Array, index: HashIndex): NumberedMessages {
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
  return { messages: Int32Array.from(indexOf.keys()), counts };
}

/**
 * A share extended by messages written since; it shares memory with the original where there is room. `added`: its new
 * messages.
 */
export function extendShare(
  { messages: known, counts: knownCounts }: NumberedMessages,
  { messages, counts }: NumberedMessages,
): { share: NumberedMessages; added: Int32Array } {
  const indexOf = new Map(Array.from(messages, (message) => [message, -1]));
  for (let index = 0; index < known.length; index++) {
    const message = known[index] as number;
    if (indexOf.has(message)) indexOf.set(message, index);
  }
  const added = messages.filter((message) => indexOf.get(message) === -1);
  for (const [index, message] of added.entries()) indexOf.set(message, known.length + index);
  const all = withCapacity(known, known.length + added.length, 0);
  all.set(added, known.length);
  const indexes = messages.map((message) => indexOf.get(message) as number);
  const allCounts = SHARED_COUNTS.map((_, column) =>
    greatest(knownCounts[column] ?? null, counts[column] ?? null, indexes, all.length),
  );
  return { share: { messages: all, counts: allCounts }, added };
}

/** The part of a share with the given messages and turns. */
export function partOf(
  { messages, counts, turns }: NumberedShare,
  wantsMessage: (message: number) => boolean,
  wantsTurn: (turn: number) => boolean,
): NumberedShare {
  const indexes: number[] = [];
  for (let i = 0; i < messages.length; i++) if (wantsMessage(messages[i] as number)) indexes.push(i);
  return {
    messages: Int32Array.from(indexes, (i) => messages[i] as number),
    counts: counts.map((column) => column && Uint32Array.from(indexes, (i) => column[i] as number)),
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
  return { turns: 0, messages: 0, usage: noUsage() };
}

/**
 * The totals of some sessions, each message and turn counted once. For a message in several sessions the maximum
 * counts are correct, as for its lines within a session.
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

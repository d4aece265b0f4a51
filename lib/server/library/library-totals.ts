import { KEY_WORDS, type SessionShare, TURN_WORDS } from "@/lib/log/graph/session-share";
import { HashIndex } from "@/lib/log/table/hash-index";
import type { SessionId } from "@/lib/wire/ids";
import type { Totals } from "@/lib/wire/library";
import { extendShare, type NumberedShare, numberMessages, partOf, sumShares } from "./numbered-share";

type CachedTotals = { of: readonly NumberedShare[]; totals: Totals };

/** The part of a session that other sessions contain as well: in total, and by session. */
export type SharedTotals = { all: Totals; with: ReadonlyMap<SessionId, Totals> };

/**
 * Totals over sessions. Every message and turn of the library has one number, whichever sessions contain it;
 * a session is stored as its numbers and their tokens, some 20 bytes a message, so that any set of
 * sessions is summed without a look-up.
 */
export class LibraryTotals {
  readonly #messages = new HashIndex();
  readonly #turns = new HashIndex();
  readonly #answers = new HashIndex();
  /** Key of a turn → its number; also by the message that answered it, since a copy may have another key (1.0.60). */
  readonly #numberOfTurn: number[] = [];
  readonly #numberOfAnswer: number[] = [];
  readonly #holdersOfMessages = new Holders();
  readonly #holdersOfTurns = new Holders();
  readonly #sessions = new Map<SessionId, NumberedShare>();
  readonly #cached = new Map<string, CachedTotals>();

  has(id: SessionId): boolean {
    return this.#sessions.has(id);
  }

  /** Sets a session's share, replacing an earlier one. */
  put(id: SessionId, { messages, turns }: SessionShare): void {
    this.#remove(id);
    const share = { ...numberMessages(messages, this.#messages), turns: this.#numberTurns(turns) };
    this.#holdersOfMessages.add(share.messages);
    this.#holdersOfTurns.add(share.turns);
    this.#sessions.set(id, share);
  }

  /** Extends a session's share: with all of its turns, and the messages that are new or have changed. */
  extend(id: SessionId, { messages, turns }: SessionShare): void {
    const known = this.#sessions.get(id);
    if (!known) return this.put(id, { messages, turns });
    const { share, added } = extendShare(known, numberMessages(messages, this.#messages));
    this.#holdersOfMessages.add(added);
    this.#holdersOfTurns.remove(known.turns);
    const numbered = { ...share, turns: this.#numberTurns(turns) };
    this.#holdersOfTurns.add(numbered.turns);
    this.#sessions.set(id, numbered);
  }

  /** Removes the sessions that are no longer listed. Their messages keep their numbers, at some 30 bytes each. */
  keepOnly(ids: ReadonlySet<SessionId>): void {
    for (const id of this.#sessions.keys()) {
      if (ids.has(id)) continue;
      this.#remove(id);
      this.#cached.clear();
    }
  }

  /**
   * The totals of these sessions, each message and turn counted once; null while one of them has not been read.
   * Cached under `name` until one of the sessions changes.
   */
  of(name: string, ids: readonly SessionId[]): Totals | null {
    const shares: NumberedShare[] = [];
    for (const id of ids) {
      const share = this.#sessions.get(id);
      if (!share) return null;
      shares.push(share);
    }
    const kept = this.#cached.get(name);
    if (kept && isSame(kept.of, shares)) return kept.totals;
    const totals = this.#sum(shares);
    this.#cached.set(name, { of: shares, totals });
    return totals;
  }

  /** The part of a session that other sessions contain as well; null for one that has not been read. */
  shared(id: SessionId): SharedTotals | null {
    const share = this.#sessions.get(id);
    if (!share) return null;
    const inMessages = (message: number) => this.#holdersOfMessages.of(message) > 1;
    const inTurns = (turn: number) => this.#holdersOfTurns.of(turn) > 1;
    const common = partOf(share, inMessages, inTurns);
    const withOthers = new Map<SessionId, Totals>();
    const ours = { messages: new Set(common.messages), turns: new Set(common.turns) };
    for (const [other, theirs] of ours.messages.size + ours.turns.size > 0 ? this.#sessions : []) {
      if (other === id) continue;
      const messages = new Set(heldBy(ours.messages, theirs.messages, this.#holdersOfMessages));
      const turns = new Set(heldBy(ours.turns, theirs.turns, this.#holdersOfTurns));
      if (messages.size + turns.size === 0) continue;
      const both = partOf(
        common,
        (message) => messages.has(message),
        (turn) => turns.has(turn),
      );
      withOthers.set(other, this.#sum([both]));
    }
    return { all: this.#sum([common]), with: withOthers };
  }

  #numberTurns(turns: Uint32Array): Int32Array {
    const numbers = new Set<number>();
    for (let from = 0; from < turns.length; from += TURN_WORDS) {
      const turn = this.#turns.internWords(turns, from);
      const isAnswered = turns.subarray(from + KEY_WORDS, from + TURN_WORDS).some((word) => word !== 0);
      const answer = isAnswered ? this.#answers.internWords(turns, from + KEY_WORDS) : -1;
      const number = this.#numberOfAnswer[answer] ?? this.#numberOfTurn[turn] ?? turn;
      this.#numberOfTurn[turn] = number;
      if (isAnswered) this.#numberOfAnswer[answer] = number;
      numbers.add(number);
    }
    return Int32Array.from(numbers);
  }

  #remove(id: SessionId): void {
    const share = this.#sessions.get(id);
    if (!share) return;
    this.#holdersOfMessages.remove(share.messages);
    this.#holdersOfTurns.remove(share.turns);
    this.#sessions.delete(id);
  }

  #sum(shares: readonly NumberedShare[]): Totals {
    return sumShares(shares, this.#messages.size, this.#turns.size);
  }
}

/** The numbers of another session that ours has as well. Most are in one session only. */
function heldBy(ours: ReadonlySet<number>, theirs: Int32Array, holders: Holders): number[] {
  const both: number[] = [];
  for (let i = 0; i < theirs.length; i++) {
    const number = theirs[i] as number;
    if (holders.of(number) > 1 && ours.has(number)) both.push(number);
  }
  return both;
}

function isSame(kept: readonly NumberedShare[], shares: readonly NumberedShare[]): boolean {
  return kept.length === shares.length && kept.every((share, at) => share === shares[at]);
}

/** The number of sessions that contain each message or turn. */
class Holders {
  #counts = new Uint32Array(256);

  of(number: number): number {
    return this.#counts[number] ?? 0;
  }

  /** @param numbers of one session, each once */
  add(numbers: Int32Array): void {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      if (number >= this.#counts.length) this.#grow(number);
      this.#counts[number] = this.of(number) + 1;
    }
  }

  remove(numbers: Int32Array): void {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      this.#counts[number] = this.of(number) - 1;
    }
  }

  #grow(number: number): void {
    const counts = new Uint32Array(Math.max(number + 1, this.#counts.length * 2));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

import { type PricedTokens, toCost } from "@/lib/cost/price-table";
import { isSameList } from "@/lib/format/lists";
import {
  type FactNames,
  factsWord,
  KEY_WORDS,
  modelWord,
  PASS_WORDS,
  parseCaller,
  readFacts,
  type SessionShare,
  SHARED_COUNTS,
  TURN_WORDS,
} from "@/lib/log/graph/session-share";
import { HashIndex } from "@/lib/log/table/hash-index";
import { Terms } from "@/lib/log/table/session-columns";
import { StringTable } from "@/lib/log/table/string-table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { SessionId } from "@/lib/wire/ids";
import type { Totals } from "@/lib/wire/library";
import type { Cost } from "@/lib/wire/usage";
import {
  type Conversion,
  extendShare,
  type NumberedShare,
  numberMessages,
  type Pricing,
  packShare,
  subsetOf,
  sumShares,
  UNPRICED,
  visitMessages,
} from "./numbered-share";

type CachedTotals = { of: readonly NumberedShare[]; totals: Totals };

/**
 * A message as `visit` passes it. `second`: since the epoch, 0 if unknown. `model`, `tool`, `agentType`: numbers of the
 * library, -1 for none; a message of the main thread has no type of agent.
 */
export type LibraryMessage = {
  session: SessionId;
  second: number;
  model: number;
  tool: number;
  agentType: number;
  isAgents: boolean;
  /** In the order of SHARED_COUNTS. */
  counts: Uint32Array;
  microUsd: number | null;
};

const NO_COUNTS = new Uint32Array(SHARED_COUNTS.length);
const WEB_SEARCHES = SHARED_COUNTS.indexOf("webSearches");

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
  readonly #models = new StringTable();
  readonly #tools = new StringTable();
  readonly #agentTypes = new StringTable();
  readonly #callers = new StringTable();
  /** The passes of messages that were made in several, by their numbers. Copies of a message have the same. */
  readonly #passes = new Map<number, PricedTokens[]>();
  /** Number of a caller → its tool, and the type of its agent. */
  readonly #toolOf: number[] = [];
  readonly #agentTypeOf: number[] = [];
  readonly #price: Pricing;

  constructor() {
    const prices = pricesInUse().table;
    // The first name is the empty one, for what has no name.
    this.#models.intern("");
    this.#price = (counts, second, facts, message) => {
      const { model, terms } = unpackFacts(facts);
      const request = {
        tokens: tokensByName(counts),
        webSearches: counts[WEB_SEARCHES] ?? 0,
        model: this.#models.at(model) ?? "",
        atMs: second === 0 ? Number.NaN : second * 1000,
        fast: (terms & Terms.fast) !== 0,
        usOnly: (terms & Terms.usOnly) !== 0,
        passes: this.#passes.get(message),
      };
      return prices.microUsd(request) ?? UNPRICED;
    };
  }

  /** Whether the session has been read, so that the totals hold its share. */
  has(id: SessionId): boolean {
    return this.#sessions.has(id);
  }

  /** Sets a session's share, replacing an earlier one. */
  put(id: SessionId, { messages, turns, passes }: SessionShare, names: FactNames): void {
    this.#remove(id);
    this.#notePasses(passes);
    const numbered = numberMessages(messages, this.#messages, this.#conversion(names));
    const share = packShare({ ...numbered, turns: this.#numberTurns(turns) });
    this.#holdersOfMessages.add(share.messages);
    this.#holdersOfTurns.add(share.turns);
    this.#sessions.set(id, share);
  }

  /** Extends a session's share: with all of its turns, and the messages that are new or have changed. */
  extend(id: SessionId, given: SessionShare, names: FactNames): void {
    const known = this.#sessions.get(id);
    if (!known) return this.put(id, given, names);
    const firstNew = this.#messages.size;
    this.#notePasses(given.passes);
    const numbered = numberMessages(given.messages, this.#messages, this.#conversion(names));
    const { share, added } = extendShare(known, numbered, this.#price, firstNew);
    this.#holdersOfMessages.add(added);
    this.#holdersOfTurns.remove(known.turns);
    const extended = { ...share, turns: this.#numberTurns(given.turns) };
    this.#holdersOfTurns.add(extended.turns);
    this.#sessions.set(id, extended);
  }

  /**
   * The total cost of a session's messages, including those that other sessions contain; null for one that has not been
   * read.
   */
  cost(id: SessionId): Cost | null {
    const share = this.#sessions.get(id);
    return share ? toCost(share.cost) : null;
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
    if (kept && isSameList(kept.of, shares)) return kept.totals;
    const totals = this.#sum(shares);
    this.#cached.set(name, { of: shares, totals });
    return totals;
  }

  /**
   * Visits each message of these sessions once, in the first session that contains it, with its cost and the numbers by
   * which it is grouped. The object is the same in all visits. Sessions that have not been read are skipped.
   */
  visit(ids: readonly SessionId[], visit: (message: LibraryMessage) => void): void {
    const read = ids.filter((id) => this.#sessions.has(id));
    const shares = read.map((id) => this.#sessions.get(id) as NumberedShare);
    const message: LibraryMessage = {
      session: "" as SessionId,
      second: 0,
      model: 0,
      tool: -1,
      agentType: -1,
      isAgents: false,
      counts: NO_COUNTS,
      microUsd: null,
    };
    visitMessages(shares, this.#messages.size, this.#price, ({ share, second, facts, counts, microUsd }) => {
      const { model, caller, isAgents } = unpackFacts(facts);
      message.session = read[share] as SessionId;
      message.second = second;
      message.model = model;
      message.tool = this.#toolOf[caller] ?? -1;
      message.agentType = this.#agentTypeOf[caller] ?? (isAgents ? this.#agentTypes.intern("") : -1);
      message.isAgents = isAgents;
      message.counts = counts;
      message.microUsd = microUsd === UNPRICED ? null : microUsd;
      visit(message);
    });
  }

  /**
   * Of messages, given by the words of their ids, those that several of these sessions contain, each with the first
   * session: the one in which `visit` passes it.
   */
  firstHolders(ids: readonly SessionId[], keys: Iterable<string>): Map<string, SessionId> {
    const wanted = new Map<number, string>();
    for (const key of keys) {
      const message = this.#messages.findWords(key);
      if (this.#holdersOfMessages.of(message) > 1) wanted.set(message, key);
    }
    const found = new Map<string, SessionId>();
    for (const id of ids) {
      if (wanted.size === 0) break;
      for (const message of this.#sessions.get(id)?.messages ?? []) {
        const key = wanted.get(message);
        if (key === undefined) continue;
        found.set(key, id);
        wanted.delete(message);
      }
    }
    return found;
  }

  /** A model by its number in the messages; "" for one that is not known. */
  modelNamed(model: number): string {
    return this.#models.at(model) ?? "";
  }

  /** Null for -1: a message that called none. */
  toolNamed(tool: number): string | null {
    return this.#tools.at(tool);
  }

  /** Null for -1: the main thread. "": a type that is not known. */
  agentTypeNamed(agentType: number): string | null {
    return this.#agentTypes.at(agentType);
  }

  /** The part of a session that other sessions contain as well; null for one that has not been read. */
  shared(id: SessionId): SharedTotals | null {
    const share = this.#sessions.get(id);
    if (!share) return null;
    const inMessages = (message: number) => this.#holdersOfMessages.of(message) > 1;
    const inTurns = (turn: number) => this.#holdersOfTurns.of(turn) > 1;
    const common = subsetOf(share, inMessages, inTurns);
    const withOthers = new Map<SessionId, Totals>();
    const ours = { messages: new Set(common.messages), turns: new Set(common.turns) };
    for (const [other, theirs] of ours.messages.size + ours.turns.size > 0 ? this.#sessions : []) {
      if (other === id) continue;
      const messages = new Set(heldBy(ours.messages, theirs.messages, this.#holdersOfMessages));
      const turns = new Set(heldBy(ours.turns, theirs.turns, this.#holdersOfTurns));
      if (messages.size + turns.size === 0) continue;
      const both = subsetOf(
        common,
        (message) => messages.has(message),
        (turn) => turns.has(turn),
      );
      withOthers.set(other, this.#sum([both]));
    }
    return { all: this.#sum([common]), with: withOthers };
  }

  /** Those of a message stand one behind the other. */
  #notePasses(words: Uint32Array): void {
    let [last, own]: [number, PricedTokens[]] = [-1, []];
    for (let from = 0; from < words.length; from += PASS_WORDS) {
      const message = this.#messages.internWords(words, from);
      if (message !== last) [last, own] = [message, []];
      own.push(tokensByName(words.subarray(from + KEY_WORDS, from + PASS_WORDS)));
      this.#passes.set(message, own);
    }
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
    return sumShares(shares, this.#messages.size, this.#turns.size, this.#price);
  }

  #numberCaller(name: string): number {
    const { tool, agentType } = parseCaller(name);
    const caller = this.#callers.intern(name);
    this.#toolOf[caller] ??= tool === null ? -1 : this.#tools.intern(tool);
    this.#agentTypeOf[caller] ??= agentType === null ? -1 : this.#agentTypes.intern(agentType);
    return caller;
  }

  #conversion({ models, callers }: FactNames): Conversion {
    const modelOf = new Map(models.map((name) => [modelWord(name), this.#models.intern(name)]));
    const callerOf = new Map(callers.map((name) => [factsWord(name, 0, false), this.#numberCaller(name)]));
    const toLibrary = (model: number, facts: number) => {
      const { caller, terms, isAgents } = readFacts(facts);
      return packFacts({
        model: modelOf.get(model) ?? 0,
        caller: callerOf.get(caller) ?? -1,
        terms,
        isAgents,
      });
    };
    return { toLibrary, price: this.#price };
  }
}

/** Facts with the library's numbers of models and callers. `caller`: -1 for none. */
type Facts = { model: number; caller: number; terms: number; isAgents: boolean };

const MODELS = 1 << 12;
const CALLERS = 0xffff;

/** 16 bits of caller, 12 of model, 4 of the rest. */
function packFacts({ model, caller, terms, isAgents }: Facts): number {
  return Math.min(caller + 1, CALLERS) * 65536 + (model % MODELS) * 16 + (isAgents ? 8 : 0) + (terms & 7);
}

function unpackFacts(facts: number): Facts {
  return {
    model: (facts >>> 4) & (MODELS - 1),
    caller: (facts >>> 16) - 1,
    terms: facts & 7,
    isAgents: (facts & 8) !== 0,
  };
}

/** The tokens of a message or a pass as an object, from counts in their order: one literal, since each message of a library has one. */
function tokensByName(counts: ArrayLike<number>): PricedTokens {
  return {
    input: counts[0] ?? 0,
    output: counts[1] ?? 0,
    cacheWrite: counts[2] ?? 0,
    cacheWrite5m: counts[3] ?? 0,
    cacheWrite1h: counts[4] ?? 0,
    cacheRead: counts[5] ?? 0,
  };
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

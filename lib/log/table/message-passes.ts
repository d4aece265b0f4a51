import type { PricedTokens } from "@/lib/cost/price-table";

/** The passes in which the API made a message (`usage.iterations`, 2.1.330), where there were several. */
export type MessagePasses = { message: number; passes: PricedTokens[] };

/**
 * The passes of an advisor in a message (`advisor_message`, 2.1.330): each is a message of its own, since it has a model
 * of its own and the usage of the message leaves it out. No record is a line of one.
 */
export type AdvisedMessage = { message: number; advisors: number[] };

/** The passes of a session's messages, of those alone that were made in several. */
export class PassesByMessage {
  readonly list: MessagePasses[];
  readonly #of: Map<number, MessagePasses>;

  constructor(list: MessagePasses[] = []) {
    this.list = list;
    this.#of = new Map(list.map((entry) => [entry.message, entry]));
  }

  /** The passes of a message; undefined for one that was made in one. */
  of(message: number): readonly PricedTokens[] | undefined {
    return this.#of.get(message)?.passes;
  }

  /** Notes the passes of a message. Its lines repeat them: the last ones hold, since a line may have been written before the end. */
  note(message: number, passes: PricedTokens[]): void {
    const known = this.#of.get(message);
    if (known) {
      known.passes = passes;
      return;
    }
    const noted = { message, passes };
    this.#of.set(message, noted);
    this.list.push(noted);
  }
}

const NO_MESSAGES: readonly number[] = [];

/** The passes of advisors, by the message in which they were asked. */
export class AdvisorsByMessage {
  readonly list: AdvisedMessage[];
  readonly #of: Map<number, AdvisedMessage>;

  constructor(list: AdvisedMessage[] = []) {
    this.list = list;
    this.#of = new Map(list.map((entry) => [entry.message, entry]));
  }

  /** The messages of the advisor that answered while this one was made, in their order. */
  of(message: number): readonly number[] {
    return this.#of.get(message)?.advisors ?? NO_MESSAGES;
  }

  /** Notes that a message is an advisor's pass of another one; again for each of that one's lines. */
  note(message: number, advisor: number): void {
    const known = this.#of.get(message);
    if (known) {
      if (!known.advisors.includes(advisor)) known.advisors.push(advisor);
      return;
    }
    const noted = { message, advisors: [advisor] };
    this.#of.set(message, noted);
    this.list.push(noted);
  }
}

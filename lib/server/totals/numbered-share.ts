import { grown } from "@/lib/thread/grown";
import type { KeyIndex } from "@/lib/thread/key-index";
import { KEY_WORDS, MESSAGE_WORDS, SHARED_COUNTS } from "@/lib/thread/session-share";

const COUNTS = SHARED_COUNTS.length;

/** A session's messages and turns by their numbers in the library, each once, with the tokens of each message. */
export type NumberedShare = { messages: Int32Array; counts: Uint32Array; turns: Int32Array };

/** The messages of a share. One that stands there in parts has the greatest counts of them. */
export function numberMessages(
  words: Uint32Array,
  index: KeyIndex,
): Pick<NumberedShare, "messages" | "counts"> {
  const placeOf = new Map<number, number>();
  const counts = new Uint32Array((words.length / MESSAGE_WORDS) * COUNTS);
  for (let from = 0; from < words.length; from += MESSAGE_WORDS) {
    const message = index.internWords(words, from);
    const place = placeOf.get(message) ?? placeOf.size;
    placeOf.set(message, place);
    for (let column = 0; column < COUNTS; column++) {
      const count = words[from + KEY_WORDS + column] as number;
      const at = place * COUNTS + column;
      if (count > (counts[at] as number)) counts[at] = count;
    }
  }
  return { messages: Int32Array.from(placeOf.keys()), counts: counts.slice(0, placeOf.size * COUNTS) };
}

type NumberedMessages = Pick<NumberedShare, "messages" | "counts">;

/** A share with messages that were written since, in memory that both have where there is room. `added`: those that are new in it. */
export function goOn(
  { messages: known, counts: knownCounts }: NumberedMessages,
  { messages, counts }: NumberedMessages,
): { share: NumberedMessages; added: Int32Array } {
  const placeOf = new Map(Array.from(messages, (message) => [message, -1]));
  for (let place = 0; place < known.length; place++) {
    const message = known[place] as number;
    if (placeOf.has(message)) placeOf.set(message, place);
  }
  const added = messages.filter((message) => placeOf.get(message) === -1);
  const all = grown(known, known.length + added.length, 0);
  all.set(added, known.length);
  const allCounts = grown(knownCounts, all.length * COUNTS, 0);
  let next = known.length;
  for (let i = 0; i < messages.length; i++) {
    const place = placeOf.get(messages[i] as number) as number;
    const at = (place === -1 ? next++ : place) * COUNTS;
    for (let column = 0; column < COUNTS; column++) {
      const count = counts[i * COUNTS + column] as number;
      if (count > (allCounts[at + column] as number)) allCounts[at + column] = count;
    }
  }
  return { share: { messages: all, counts: allCounts }, added };
}

/** The part of a share that is wanted. */
export function partOf(
  { messages, counts, turns }: NumberedShare,
  wantsMessage: (message: number) => boolean,
  wantsTurn: (turn: number) => boolean,
): NumberedShare {
  const places: number[] = [];
  for (let i = 0; i < messages.length; i++) if (wantsMessage(messages[i] as number)) places.push(i);
  const some = new Uint32Array(places.length * COUNTS);
  for (const [place, i] of places.entries())
    some.set(counts.subarray(i * COUNTS, (i + 1) * COUNTS), place * COUNTS);
  return {
    messages: Int32Array.from(places, (i) => messages[i] as number),
    counts: some,
    turns: turns.filter(wantsTurn),
  };
}

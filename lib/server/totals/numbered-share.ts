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

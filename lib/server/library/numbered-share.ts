import { KEY_WORDS, MESSAGE_WORDS, SHARED_COUNTS } from "@/lib/log/graph/session-share";
import { grown } from "@/lib/log/table/grown";
import type { KeyIndex } from "@/lib/log/table/hash-index";

/** Tokens of messages, a column a count; null for one in which all are 0, as some are in most sessions. */
type Counts = readonly (Uint32Array | null)[];

type NumberedMessages = { messages: Int32Array; counts: Counts };

/** A session's messages and turns by their numbers in the library, each once, with the tokens of each message. */
export type NumberedShare = NumberedMessages & { turns: Int32Array };

/** The messages of a share. One that stands there in parts has the greatest counts of them. */
export function numberMessages(words: Uint32Array, index: KeyIndex): NumberedMessages {
  const placeOf = new Map<number, number>();
  const places = new Int32Array(words.length / MESSAGE_WORDS);
  for (let i = 0; i < places.length; i++) {
    const message = index.internWords(words, i * MESSAGE_WORDS);
    const place = placeOf.get(message) ?? placeOf.size;
    placeOf.set(message, place);
    places[i] = place;
  }
  const counts = SHARED_COUNTS.map((_, column) => {
    const given = Uint32Array.from(places, (_, i) => words[i * MESSAGE_WORDS + KEY_WORDS + column] as number);
    return greatest(null, given, places, placeOf.size);
  });
  return { messages: Int32Array.from(placeOf.keys()), counts };
}

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
  for (const [place, message] of added.entries()) placeOf.set(message, known.length + place);
  const all = grown(known, known.length + added.length, 0);
  all.set(added, known.length);
  const places = messages.map((message) => placeOf.get(message) as number);
  const allCounts = SHARED_COUNTS.map((_, column) =>
    greatest(knownCounts[column] ?? null, counts[column] ?? null, places, all.length),
  );
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
  return {
    messages: Int32Array.from(places, (i) => messages[i] as number),
    counts: counts.map((column) => column && Uint32Array.from(places, (i) => column[i] as number)),
    turns: turns.filter(wantsTurn),
  };
}

/** A column for `size` messages with what is given for some places, where that is more. */
function greatest(
  known: Uint32Array | null,
  given: Uint32Array | null,
  places: Int32Array,
  size: number,
): Uint32Array | null {
  const isGiven = given?.some((count) => count > 0) ?? false;
  if (!known && !isGiven) return null;
  const column = known ? grown(known, size, 0) : new Uint32Array(size);
  for (const [i, place] of isGiven ? places.entries() : [])
    column[place] = Math.max(column[place] as number, given?.[i] ?? 0);
  return column;
}

import { queryTokens } from "@/components/search/search-tokens";
import { plainWords } from "@/components/search/search-words";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";

/** Things with names, the best first: names that begin with the first word, then the others, each in the given order. */
export function filterByNames<Thing>(
  things: readonly Thing[],
  query: string,
  namesOf: (thing: Thing) => readonly (string | null)[],
  most: number,
): Thing[] {
  const words = plainWords(query);
  if (words.length === 0) return queryTokens(query).length === 0 ? things.slice(0, most) : [];
  const first: Thing[] = [];
  const others: Thing[] = [];
  for (const thing of things) {
    const names = namesOf(thing).flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
    if (!words.every((word) => names.some((name) => name.includes(word)))) continue;
    const begins = names.some((name) => name.startsWith(words[0] ?? ""));
    (begins ? first : others).push(thing);
    if (first.length >= most) break;
  }
  return [...first, ...others].slice(0, most);
}

/** The first hits of the sessions that are wanted, at most so many of one session, each text once. */
export function pickHits(
  hits: readonly SearchHit[],
  wanted: (sessionId: SessionId) => boolean,
  most: number,
  mostOfSession: number,
): SearchHit[] {
  const picked: SearchHit[] = [];
  const texts = new Set<string>();
  const counts = new Map<SessionId, number>();
  for (const hit of hits) {
    if (picked.length >= most) break;
    // Sessions are listed by their titles already.
    if (hit.field === "title") continue;
    const count = counts.get(hit.sessionId) ?? 0;
    const text = `${hit.sessionId} ${hit.snippet}`;
    if (count >= mostOfSession || texts.has(text) || !wanted(hit.sessionId)) continue;
    counts.set(hit.sessionId, count + 1);
    texts.add(text);
    picked.push(hit);
  }
  return picked;
}

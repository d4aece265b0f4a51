import { queryTokens } from "@/components/search/search-tokens";
import type { KeyCommand } from "@/lib/client/key-registry";
import { pathOfPlace } from "@/lib/format/file-lines";
import { wantedWords } from "@/lib/query/text-marks";
import type { SessionId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import type { SearchHit } from "@/lib/wire/search";

const MAX_PROJECTS = 4;
const MAX_COMMANDS = 6;
const MAX_UNASKED_COMMANDS = 20;

/**
 * The file that a query names: a path or a name with its extension, with a line behind it or without, or `file:` with one;
 * null for anything else.
 */
export function fileAsked(query: string): string | null {
  const [, quoted, plain] = /^file:(?:"([^"*?]+)"|([^\s"*?]+))$/i.exec(query.trim()) ?? [];
  const named =
    quoted ?? plain ?? /^(?!\w+:)[^\s"*?]*\w\.[a-z]\w{0,9}$/i.exec(pathOfPlace(query.trim()))?.[0];
  return named ?? null;
}

/**
 * The commands that a query names, and without one those that do something: `named` are called by their names and come
 * before hits. Commands that move are found by name only, so that they can be used without a keyboard.
 */
export function paletteCommands(
  all: readonly KeyCommand[],
  query: string,
): { named: KeyCommand[]; commands: KeyCommand[] } {
  const offered = all.filter(isNamed);
  const found =
    query.trim() === ""
      ? offered.filter(({ group }) => group !== "Move").slice(0, MAX_UNASKED_COMMANDS)
      : filterByNames(offered, query, ({ label }) => [label], MAX_COMMANDS);
  const named = found.filter(({ label }) => isCalled(query, label));
  return { named, commands: found.filter((command) => !named.includes(command)) };
}

/** Moves by one row need no name, and the palette is open already. */
function isNamed({ keys }: KeyCommand): boolean {
  return !keys.some((key) => key.startsWith("Arrow")) && !keys.includes("mod+k");
}

/** The projects that a query names by their paths or notes; hidden ones only by name. */
export function paletteProjects(all: readonly Project[], query: string): Project[] {
  const offered = query.trim() === "" ? all.filter(({ marks }) => !marks?.hidden) : all;
  return filterByNames(offered, query, ({ path, marks }) => [path, marks?.note ?? null], MAX_PROJECTS);
}

/**
 * Whether a query calls a command: it is the whole name, or two words or more of which each begins one of the name. One
 * word of a name is asked of the logs as often.
 */
export function isCalled(query: string, label: string): boolean {
  const typed = query.trim().toLowerCase();
  const name = label.toLowerCase();
  if (typed === name) return true;
  const [words, ofName] = [typed, name].map((text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean));
  return (
    words !== undefined &&
    words.length > 1 &&
    words.every((word) => ofName?.some((one) => one.startsWith(word)))
  );
}

/** Named entries, the best first: names that begin with the first word, then the others, each in the given order. */
export function filterByNames<Thing>(
  things: readonly Thing[],
  query: string,
  namesOf: (thing: Thing) => readonly (string | null)[],
  most: number,
): Thing[] {
  const words = wantedWords(query).map((word) => word.toLowerCase());
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

/**
 * The first hits of the wanted sessions, at most this many of one session, each text once. Where that leaves room and
 * `isAll` (no other session's hits are to come), more of the same sessions follow.
 */
export function pickHits(
  hits: readonly SearchHit[],
  wanted: (sessionId: SessionId) => boolean,
  most: number,
  mostOfSession: number,
  isAll = false,
): SearchHit[] {
  const picked: SearchHit[] = [];
  const more: SearchHit[] = [];
  const texts = new Set<string>();
  const counts = new Map<SessionId, number>();
  for (const hit of hits) {
    if (picked.length >= most) break;
    // Sessions are already listed by their titles.
    if (hit.field === "title") continue;
    const count = counts.get(hit.sessionId) ?? 0;
    const text = `${hit.sessionId} ${hit.snippet}`;
    if (texts.has(text) || !wanted(hit.sessionId)) continue;
    texts.add(text);
    counts.set(hit.sessionId, count + 1);
    (count < mostOfSession ? picked : more).push(hit);
  }
  return isAll ? [...picked, ...more].slice(0, most) : picked;
}

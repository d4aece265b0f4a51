import { useMemo } from "react";
import { withoutRepeats } from "@/components/search/search-groups";
import { isOfThisSession, queryTokens } from "@/components/search/search-tokens";
import { useSearch } from "@/components/search/use-search";
import { useSearchSessions } from "@/components/search/use-search-vocabulary";
import { useIsGuest } from "@/lib/client/connection/token";
import { type KeyCommand, listCommands, useCommandChanges } from "@/lib/client/key-registry";
import { useProjects } from "@/lib/client/queries";
import { useDebounced } from "@/lib/client/use-debounced";
import { projectNames } from "@/lib/format/text";
import { wantedWords } from "@/lib/query/text-marks";
import type { SessionId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import type { SearchHit } from "@/lib/wire/search";

const SESSIONS = 7;
const PROJECTS = 4;
const MAX_COMMANDS = 6;
const HITS_HERE = 5;
const HITS_ELSEWHERE = 8;
/** One talkative session shall not hide the others. */
const HITS_A_SESSION = 2;

/**
 * The entries of the palette. Sessions, projects and commands are filtered here, within the frame of the key press;
 * hits follow from the server, and until the first of them arrive those of the query before stay.
 */
export function usePalette(query: string, here: SessionId | null) {
  const { list, byId } = useSearchSessions();
  const projects = useProjects().data ?? NO_PROJECTS;
  const isGuest = useIsGuest();
  const search = useSearch({
    q: useDebounced(query, 60),
    session: isGuest ? here : null,
    here: here ?? undefined,
  });
  // Who asks for this session looks for none of the others, nor for projects.
  const isHereAlone = here !== null && isOfThisSession(query);
  // The commands of the page below, including those of elements that were added since.
  useCommandChanges();
  const all = listCommands().filter(isNamed);
  const pathOf = useMemo(() => new Map(projects.map(({ id, path }) => [id, path])), [projects]);
  const names = useMemo(() => projectNames(projects), [projects]);
  const sessions = useMemo(
    () =>
      filterByNames(
        isHereAlone ? [] : list,
        query,
        ({ title, firstPrompt, gitBranch, projectId, marks }) => [
          title,
          firstPrompt,
          gitBranch,
          pathOf.get(projectId) ?? null,
          ...(marks?.tags ?? []),
        ],
        SESSIONS,
      ),
    [list, query, pathOf, isHereAlone],
  );
  // Commands that move are found by name only: so they can be used without a keyboard.
  const commands =
    query.trim() === ""
      ? all.filter(({ group }) => group !== "Move").slice(0, 20)
      : filterByNames(all, query, ({ label }) => [label], MAX_COMMANDS);
  const named = commands.filter(({ label }) => isCalled(query, label));
  const hits = useMemo(
    () => (query.trim() === "" ? [] : withoutRepeats(search.hits, (id) => byId.get(id)?.title)),
    [query, search.hits, byId],
  );
  const mostHere = isHereAlone ? HITS_HERE + HITS_ELSEWHERE : HITS_HERE;
  return {
    search,
    sessions,
    byId,
    names,
    // A hidden session is found by its name.
    projects: filterByNames(
      isHereAlone ? [] : query.trim() === "" ? projects.filter(({ marks }) => !marks?.hidden) : projects,
      query,
      ({ path, marks }) => [path, marks?.note ?? null],
      PROJECTS,
    ),
    /** Commands that are called by their names, which come before hits; and the others. */
    named,
    commands: commands.filter((command) => !named.includes(command)),
    here: pickHits(hits, (sessionId) => sessionId === here, mostHere, mostHere),
    elsewhere: pickHits(
      hits,
      (sessionId) => sessionId !== here,
      HITS_ELSEWHERE,
      HITS_A_SESSION,
      search.phase !== "running" && search.complete,
    ),
  };
}

const NO_PROJECTS: readonly Project[] = [];

/** The file that a query names: a path or a name with its extension, or `file:` with one; null for anything else. */
export function fileAsked(query: string): string | null {
  const [, quoted, plain] = /^file:(?:"([^"*?]+)"|([^\s"*?]+))$/i.exec(query.trim()) ?? [];
  const named = quoted ?? plain ?? /^(?!\w+:)[^\s"*?]*\w\.[a-z]\w{0,9}$/i.exec(query.trim())?.[0];
  return named ?? null;
}

/** Moves by one row need no name, and the palette is open already. */
function isNamed({ keys }: KeyCommand): boolean {
  return !keys.some((key) => key.startsWith("Arrow")) && !keys.includes("mod+k");
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

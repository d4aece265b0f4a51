import {
  createParser,
  parseAsArrayOf,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { noteWrite } from "@/lib/client/address/address-writes";
import { startOfDay } from "@/lib/format/format";
import { formatRowKey, type SessionId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { detailOfField, type HitState, isWithin, type SearchField, type SearchHit } from "@/lib/wire/search";

/** Filters of the list besides the query; empty sets filter nothing. In the address as lists. */
export type Facets = {
  fields: readonly string[];
  projects: readonly string[];
  /** The tools of inputs. */
  tools: readonly string[];
  /** `main` or `agent`. */
  threads: readonly string[];
  /** States of `is:`. */
  states: readonly string[];
  /** Git branches of sessions. */
  branches: readonly string[];
  /** Midnights, local time. */
  days: readonly number[];
};

export const NO_FACETS: Facets = {
  fields: [],
  projects: [],
  tools: [],
  threads: [],
  states: [],
  branches: [],
  days: [],
};

/** What facets ask of hits beside what these say themselves. */
export type HitFacts = {
  /** The states that a hit is in; null where that is not known yet, and then it passes no facet of states. */
  statesOf: (hit: SearchHit) => readonly HitState[] | null;
  /** A session's git branch; null where it has none, or is not known. */
  branchOf: (session: SessionId) => string | null;
};

export type FacetName = keyof Facets;

export const FIELD_WORDS: Record<SearchField, string> = {
  title: "Titles",
  prompt: "Prompts",
  command: "Commands",
  text: "Answers",
  thinking: "Thinking",
  input: "Tool input",
  output: "Tool output",
  returned: "Returned",
  attachment: "Attachments",
  meta: "Metadata",
  raw: "Unreadable lines",
};

export const STATE_WORDS: Record<HitState, string> = {
  error: "With an error",
  denied: "Denied",
  running: "Without a result",
  abandoned: "On an abandoned branch",
  compacted: "Before a compaction",
  unanswered: "In an unanswered session",
};

/** What the threads of a facet are called. */
export function threadWords(thread: string): string {
  return thread === "main" ? "Main thread" : "Agents";
}

/** The values of a hit in a facet: one, none, or of states several. */
const VALUES_OF: {
  [Name in FacetName]: (hit: SearchHit, facts: HitFacts) => readonly Facets[Name][number][];
} = {
  fields: ({ field }) => [field],
  projects: ({ projectId }) => [projectId],
  tools: ({ tool }) => listOf(tool),
  threads: ({ agentId }) => [agentId === null ? "main" : "agent"],
  states: (hit, { statesOf }) => statesOf(hit) ?? [],
  branches: ({ sessionId }, { branchOf }) => listOf(branchOf(sessionId)),
  days: ({ atMs }) => (atMs === null ? [] : [startOfDay(atMs)]),
};

function listOf<Value>(value: Value | null): readonly Value[] {
  return value === null ? [] : [value];
}

const NAMES = Object.keys(VALUES_OF) as readonly FacetName[];

/** Hits that pass all facets, except one whose own counts are wanted. */
export function passFacets(
  hits: readonly SearchHit[],
  facets: Facets,
  facts: HitFacts,
  except?: FacetName,
): SearchHit[] {
  const tests = NAMES.filter((name) => name !== except && facets[name].length > 0).map((name) => ({
    of: VALUES_OF[name],
    wanted: new Set<unknown>(facets[name]),
  }));
  return tests.length === 0
    ? [...hits]
    : hits.filter((hit) => tests.every(({ of, wanted }) => of(hit, facts).some((one) => wanted.has(one))));
}

/** How many hits each value of a facet would show, with the other facets as they are; the largest first. */
export function countFacet<Name extends FacetName>(
  hits: readonly SearchHit[],
  facets: Facets,
  facts: HitFacts,
  name: Name,
): [value: Facets[Name][number], count: number][] {
  const counts = new Map<Facets[Name][number], number>();
  for (const value of facets[name]) counts.set(value, 0);
  for (const hit of passFacets(hits, facets, facts, name))
    for (const value of VALUES_OF[name](hit, facts)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

/**
 * The day of a midnight by this browser's clock, even if it was a midnight by another's: a link leads to the same day.
 */
export function sameDayHere(midnightMs: number): number {
  return startOfDay(midnightMs + 43_200_000);
}

const parseAsDay = createParser({
  parse: (text) => {
    const midnightMs = parseAsInteger.parse(text);
    return midnightMs === null ? null : sameDayHere(midnightMs);
  },
  serialize: String,
});

const PARSERS = {
  q: parseAsString.withDefault(""),
  by: parseAsStringLiteral(["session", "time"] as const).withDefault("session"),
  fields: parseAsArrayOf(parseAsString).withDefault([]),
  projects: parseAsArrayOf(parseAsString).withDefault([]),
  tools: parseAsArrayOf(parseAsString).withDefault([]),
  threads: parseAsArrayOf(parseAsString).withDefault([]),
  states: parseAsArrayOf(parseAsString).withDefault([]),
  branches: parseAsArrayOf(parseAsString).withDefault([]),
  days: parseAsArrayOf(parseAsDay).withDefault([]),
};

export type SearchUrl = { q: string; by: "session" | "time" } & Facets;

/** The search page's state, all of it in the address. */
export function useSearchUrl(): [SearchUrl, (change: Partial<SearchUrl>) => void] {
  const [url, setUrl] = useQueryStates(PARSERS, { history: "replace", shallow: true });
  return [url, (change) => void noteWrite(setUrl(change as Parameters<typeof setUrl>[0]))];
}

/** A facet with a value added or removed. */
export function toggleFacet<Name extends FacetName>(
  facets: Facets,
  name: Name,
  value: Facets[Name][number],
): Pick<Facets, Name> {
  const values = facets[name] as readonly Facets[Name][number][];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return { [name]: next } as unknown as Pick<Facets, Name>;
}

/** The detail that shows a hit: the reader's own, or a higher one if that would hide it. */
function detailFor(field: SearchField, preferred: Detail): Detail {
  const needed = detailOfField(field);
  return isWithin(needed, preferred) ? preferred : needed;
}

/**
 * A link to the block with a hit, and with the query whose words are marked there. The position is written without
 * encoding: `~` and `.` need no escape, and a link should stay readable.
 */
export function hitHref(
  hit: Pick<SearchHit, "sessionId" | "agentId" | "recordId" | "block" | "field">,
  query: string,
  preferred: Detail,
): string {
  const session = `/sessions/${encodeURIComponent(hit.sessionId)}`;
  const rest = new URLSearchParams();
  // A title is in no row.
  if (hit.field === "title") {
    rest.set("q", query);
    return `${session}?${rest.toString()}`;
  }
  const detail = detailFor(hit.field, preferred);
  if (hit.agentId !== null) rest.set("agent", hit.agentId);
  if (detail !== preferred) rest.set("detail", detail);
  rest.set("q", query);
  return `${session}?at=${formatRowKey(hit.recordId, hit.block)}&${rest.toString()}`;
}

/** The page of all hits. */
export function searchHref(query: string): string {
  return `/search?${new URLSearchParams({ q: query }).toString()}`;
}

import { startOfDay } from "@/lib/format/format-time";
import type { SearchField, SearchHit } from "@/lib/wire/search";

/** What narrows the list besides the query; empty sets narrow nothing. In the address as lists. */
export type Facets = {
  fields: readonly string[];
  projects: readonly string[];
  /** Tools that inputs were given to. */
  tools: readonly string[];
  /** `main` or `agent`. */
  threads: readonly string[];
  /** Midnights, local time. */
  days: readonly number[];
};

export type FacetName = keyof Facets;

export const FIELD_WORDS: Record<SearchField, string> = {
  title: "Titles",
  prompt: "Prompts",
  text: "Answers",
  thinking: "Thinking",
  input: "Tool input",
  output: "Tool output",
  attachment: "Attachments",
  meta: "Book-keeping",
  raw: "Unreadable lines",
};

const VALUE_OF: { [Name in FacetName]: (hit: SearchHit) => Facets[Name][number] | null } = {
  fields: ({ field }) => field,
  projects: ({ projectId }) => projectId,
  tools: ({ tool }) => tool,
  threads: ({ agentId }) => (agentId === null ? "main" : "agent"),
  days: ({ atMs }) => (atMs === null ? null : startOfDay(atMs)),
};

const NAMES: readonly FacetName[] = ["fields", "projects", "tools", "threads", "days"];

/** Hits that pass all facets, but for one of them where its own counts are wanted. */
export function passFacets(hits: readonly SearchHit[], facets: Facets, except?: FacetName): SearchHit[] {
  const tests = NAMES.filter((name) => name !== except && facets[name].length > 0).map((name) => ({
    of: VALUE_OF[name],
    wanted: new Set<unknown>(facets[name]),
  }));
  return tests.length === 0
    ? [...hits]
    : hits.filter((hit) => tests.every(({ of, wanted }) => wanted.has(of(hit))));
}

/** How many hits each value of a facet would show, the other facets as they are; the most first. */
export function countFacet<Name extends FacetName>(
  hits: readonly SearchHit[],
  facets: Facets,
  name: Name,
): [value: Facets[Name][number], count: number][] {
  const counts = new Map<Facets[Name][number], number>();
  for (const value of facets[name]) counts.set(value, 0);
  for (const hit of passFacets(hits, facets, name)) {
    const value = VALUE_OF[name](hit);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

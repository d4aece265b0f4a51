import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { noteWrite } from "@/lib/client/address-writes";
import type { FacetName, Facets } from "./search-facets";

const PARSERS = {
  q: parseAsString.withDefault(""),
  by: parseAsStringLiteral(["session", "time"] as const).withDefault("session"),
  fields: parseAsArrayOf(parseAsString).withDefault([]),
  projects: parseAsArrayOf(parseAsString).withDefault([]),
  tools: parseAsArrayOf(parseAsString).withDefault([]),
  threads: parseAsArrayOf(parseAsString).withDefault([]),
  days: parseAsArrayOf(parseAsInteger).withDefault([]),
};

export type SearchUrl = { q: string; by: "session" | "time" } & Facets;

/** The search page's state, all of it in the address. */
export function useSearchUrl(): [SearchUrl, (change: Partial<SearchUrl>) => void] {
  const [url, setUrl] = useQueryStates(PARSERS, { history: "replace", shallow: true });
  return [url, (change) => void noteWrite(setUrl(change as Parameters<typeof setUrl>[0]))];
}

/** A facet with a value more, or less. */
export function toggleFacet<Name extends FacetName>(
  facets: Facets,
  name: Name,
  value: Facets[Name][number],
): Pick<Facets, Name> {
  const values = facets[name] as readonly Facets[Name][number][];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return { [name]: next } as unknown as Pick<Facets, Name>;
}

import {
  createSerializer,
  type inferParserType,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { noteWrite } from "@/lib/client/address/address-writes";
import { startOfDay } from "@/lib/format/format";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import { failedCalls, SESSION_SORTS } from "@/lib/wire/library-columns";

/** The library's state in the address: `/?project=…&q=…&since=7d&errors=true&sort=tokens`. */
export const LIBRARY_PARSERS = {
  project: parseAsString,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(SESSION_SORTS).withDefault("active"),
  since: parseAsStringLiteral(["7d", "30d"] as const),
  running: parseAsBoolean.withDefault(false),
  errors: parseAsBoolean.withDefault(false),
  agents: parseAsBoolean.withDefault(false),
  branch: parseAsString,
  model: parseAsString,
};

export type LibraryFilters = inferParserType<typeof LIBRARY_PARSERS>;
export type LibraryFilter = Exclude<keyof LibraryFilters, "sort">;

/** A link to the library with these filters and no others. */
export const libraryHref: (filters: Partial<LibraryFilters>) => string = (filters) =>
  createSerializer(LIBRARY_PARSERS)("/", filters);

/** The sessions of the last seven days, the costliest first. */
export const COSTLIEST = { q: "", since: "7d", sort: "cost" } as const satisfies Partial<LibraryFilters>;

/** Whether all of these sessions are listed, in that order. */
export function isCostliest({ project, running, q, since, sort }: LibraryFilters): boolean {
  return !project && !running && q.trim() === "" && since === COSTLIEST.since && sort === COSTLIEST.sort;
}

/**
 * The active filters, as the query language writes them; `token` is null of words, which have none. `project` is shown by
 * its name, which the caller knows.
 */
export function activeFilters(
  filters: LibraryFilters,
): { name: LibraryFilter; token: string | null; value: string }[] {
  const { project, q, since, running, errors, agents, branch, model } = filters;
  const all: [LibraryFilter, string | null, string | null | false][] = [
    ["project", "project", project],
    ["q", null, q],
    ["since", "after", since],
    ["running", "is", running && "running"],
    ["errors", "is", errors && "error"],
    ["agents", "agent", agents && "*"],
    ["branch", "branch", branch],
    ["model", "model", model],
  ];
  return all.flatMap(([name, token, value]) => (value ? [{ name, token, value }] : []));
}

const NEUTRAL: { [Name in LibraryFilter]: LibraryFilters[Name] } = {
  project: null,
  q: "",
  since: null,
  running: false,
  errors: false,
  agents: false,
  branch: null,
  model: null,
};

/** The same filters without the named ones. */
export function withoutFilters(filters: LibraryFilters, names: readonly LibraryFilter[]): LibraryFilters {
  return { ...filters, ...Object.fromEntries(names.map((name) => [name, NEUTRAL[name]])) };
}

/** Filters that the page applies itself to the sessions it holds; the others are the server's. */
export function hasOwnFilters(filters: LibraryFilters): boolean {
  return activeFilters(filters).some(({ name }) => name !== "project" && name !== "q");
}

/** Whether a session passes the page's own filters. A number that is not known yet does not pass. */
export function passes(session: SessionSummary, filters: LibraryFilters, nowMs: number): boolean {
  const { since, running, errors, agents, branch, model } = filters;
  if (running && !isInProgress(session)) return false;
  if (errors && !failedCalls(session)) return false;
  if (agents && !session.agentCount) return false;
  if (branch !== null && session.gitBranch !== branch) return false;
  if (model !== null && !session.models.includes(model)) return false;
  if (since === null) return true;
  const fromMs = startOfDay(nowMs, since === "7d" ? 6 : 29);
  return session.lastActiveAtMs !== null && session.lastActiveAtMs >= fromMs;
}

type SetFilters = (change: Partial<LibraryFilters>, options?: { history: "push" }) => void;

/** The library's filters, which live in the address. Changing them makes no history entries, unless that is asked for. */
export function useLibraryFilters(): [LibraryFilters, SetFilters] {
  const [filters, setFilters] = useQueryStates(LIBRARY_PARSERS, { history: "replace", clearOnDefault: true });
  return [filters, (change, options) => void noteWrite(setFilters(change, options))];
}

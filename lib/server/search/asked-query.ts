import type { Filter } from "@/lib/query/filters";
import { type ParsedQuery, parseQuery, type Query } from "@/lib/query/parse-query";
import { parseMoment } from "@/lib/query/values";
import { clockOf, momentOn } from "@/lib/server/library/days";
import type { SessionId } from "@/lib/wire/ids";
import { checkRegex } from "./find-in-text";

const DAY_MS = 86_400_000;

/** Where a query is asked: what it says of its reader's place and time means that. */
export type AskedFrom = {
  /** The session that is open there, `in:this-session`; null where none is. */
  here: SessionId | null;
  /** Whose days its dates are (`Europe/Berlin`); null for this machine's. */
  zone: string | null;
  /** The time from which `today` is counted. */
  nowMs: number;
  /** See `SearchLimits`; null without. */
  maxRegexSize?: number | null;
};

/**
 * Reads a query as it is meant where it is asked: `in:this-session` as the session that is open there, which is an error
 * where none is, and each date as the moment in UTC at which it begins for its reader.
 */
export function readAskedQuery(
  q: string,
  { here, zone, nowMs, maxRegexSize = null }: AskedFrom,
): ParsedQuery {
  const { query, errors } = parseQuery(q, {
    checkRegex: (source) => checkRegex(source, maxRegexSize),
    refuseFilter: (filter) =>
      here === null && isThisSession(filter)
        ? "in:this-session: no session is open here; session: takes the id of one"
        : null,
  });
  const toMeant = (filter: Filter): Filter => {
    if (here !== null && isThisSession(filter)) return { name: "session", value: here };
    const isDate = filter.name === "after" || filter.name === "before";
    return isDate && zone !== null ? { ...filter, value: momentIn(filter.value, zone, nowMs) } : filter;
  };
  return { query: query && withFilters(query, toMeant), errors };
}

function isThisSession({ name, value }: Filter): boolean {
  return name === "in" && value.toLowerCase() === "this-session";
}

/** As deep as the query's brackets, whose number a request bounds. */
function withFilters(query: Query, toMeant: (filter: Filter) => Filter): Query {
  switch (query.kind) {
    case "not":
      return { ...query, part: withFilters(query.part, toMeant) };
    case "and":
    case "or":
      return { ...query, parts: query.parts.map((part) => withFilters(part, toMeant)) };
    case "filter":
      return { kind: "filter", ...toMeant(query) };
    default:
      return query;
  }
}

/** Ages, and values that are no moment, stay as they are. */
function momentIn(value: string, zone: string, nowMs: number): string {
  const clock = clockOf(zone);
  const word = value.toLowerCase();
  const daysAgo = ["today", "yesterday"].indexOf(word);
  const localMs =
    daysAgo === -1
      ? parseMoment(`${value}Z`, nowMs)
      : (Math.floor((nowMs + clock(nowMs)) / DAY_MS) - daysAgo) * DAY_MS;
  if (localMs === null) return value;
  return new Date(momentOn(clock, localMs)).toISOString().replace(/\.\d+Z$/, "Z");
}

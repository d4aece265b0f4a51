import type { Query } from "@/lib/query/parse-query";
import { parseMoment } from "@/lib/query/values";
import { clockOf, momentOn } from "@/lib/server/library/days";

const DAY_MS = 86_400_000;

/**
 * A query with its dates converted for the clock of a reader who may be elsewhere (`Europe/Berlin`): each becomes the
 * moment in UTC at which it begins there. With `null` they are this machine's.
 */
export function byReadersDays(query: Query | null, zone: string | null, nowMs: number): Query | null {
  return zone === null || query === null ? query : told(query, (value) => momentIn(value, zone, nowMs));
}

function told(query: Query, inUtc: (value: string) => string): Query {
  switch (query.kind) {
    case "not":
      return { ...query, part: told(query.part, inUtc) };
    case "and":
    case "or":
      return { ...query, parts: query.parts.map((part) => told(part, inUtc)) };
    case "filter":
      return query.name === "after" || query.name === "before"
        ? { ...query, value: inUtc(query.value) }
        : query;
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

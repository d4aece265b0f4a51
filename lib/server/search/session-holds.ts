import { matchesGlob, matchesPart, matchesPath } from "@/lib/query/matches-glob";
import { isAmount, parseAmount } from "@/lib/query/parse-amount";
import { parseMoment } from "@/lib/query/parse-moment";
import type { FilterName } from "@/lib/query/query";
import type { SessionFacts } from "./search-source";

/** A filter of a query. */
export type Filter = { name: FilterName; value: string };

/**
 * Whether a filter holds for a session as a whole: it has such a tool, such an error, such a file. Null
 * while that is not known. `in:` says nothing about sessions.
 */
export function sessionHolds(
  { name, value }: Filter,
  { summary, path, facets }: SessionFacts,
  nowMs: number,
): boolean | null {
  switch (name) {
    case "project":
      return matchesPart(value, path) || matchesPart(value, path.replace(/^.*[\\/]/, ""));
    case "branch":
      return summary.gitBranch !== null && matchesPart(value, summary.gitBranch);
    case "model":
      return some(summary.models, value) || (summary.indexed ? false : null);
    case "tokens": {
      const amount = parseAmount(value);
      return summary.tokens === null || !amount ? null : isAmount(amount, summary.tokens);
    }
    case "before": {
      const moment = parseMoment(value, nowMs);
      return moment === null || summary.startedAtMs === null ? null : summary.startedAtMs < moment;
    }
    case "after": {
      const moment = parseMoment(value, nowMs);
      return moment === null || summary.lastActiveAtMs === null ? null : summary.lastActiveAtMs >= moment;
    }
    case "in":
      return true;
    case "is":
      if (value.toLowerCase() === "error") return summary.toolErrors === null ? null : summary.toolErrors > 0;
      return facets && summary.state === "running";
    case "tool":
      return facets && facets.tools.some((tool) => matchesGlob(value, tool));
    case "agent":
      return facets && some(facets.agentTypes, value);
    case "file":
      return facets && facets.paths.some((changed) => matchesPath(value, changed));
    case "has":
      return facets && hasKind(facets, value.toLowerCase());
  }
}

/**
 * Whether a filter holds for the texts of a session: true or false where it does for all of them, null
 * where each has to be looked at.
 */
export function boundHolds(filter: Filter, facts: SessionFacts, nowMs: number): boolean | null {
  const holds = sessionHolds(filter, facts, nowMs);
  switch (filter.name) {
    case "project":
    case "branch":
    case "model":
    case "tokens":
    case "has":
      return holds;
    case "before":
    case "after":
    case "tool":
    case "agent":
      return holds === false ? false : null;
    case "is":
      // Only errors are counted for the whole session; a call that never ended is seen at the call.
      return holds === false && filter.value.toLowerCase() === "error" ? false : null;
    case "in":
    case "file":
      return null;
  }
}

function some(values: readonly string[], pattern: string): boolean {
  return values.some((value) => matchesPart(pattern, value));
}

function hasKind({ images, diffs, compactions }: NonNullable<SessionFacts["facets"]>, kind: string): boolean {
  if (kind === "image") return images > 0;
  return kind === "diff" ? diffs > 0 : compactions > 0;
}

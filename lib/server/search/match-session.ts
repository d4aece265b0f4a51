import { evaluate } from "@/lib/query/evaluate";
import { matchesGlob, matchesPart, matchesPath } from "@/lib/query/matches-glob";
import { parseQuery } from "@/lib/query/parse-query";
import type { FilterName } from "@/lib/query/query";
import { isAmount, parseAmount, parseMoment } from "@/lib/query/values";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionSummary } from "@/lib/wire/library";
import type { QueryProblem } from "@/lib/wire/search";
import { checkRegex, createTextFinder } from "./find-in-text";
import { factsOf, type SessionFacts } from "./sources";

type World = { catalog: Catalog; scanner: Scanner };

type SessionFilter = { keep: ((session: SessionSummary) => boolean) | null; problems: QueryProblem[] };

/**
 * The library's filter for a query: its words in title, first prompt, branch or folder, and its filters;
 * and the errors in the query. An empty query keeps everything.
 */
export function sessionFilter(world: World, q: string | null): SessionFilter {
  if (q === null || q.trim() === "") return { keep: null, problems: [] };
  const { query, errors } = parseQuery(q, { checkRegex });
  const finder = createTextFinder(query);
  const nowMs = Date.now();
  const keep = ({ id }: SessionSummary) => {
    const facts = factsOf(world, id);
    const { title, firstPrompt, gitBranch } = facts.summary;
    const texts = [title, firstPrompt, gitBranch, facts.path].filter((text) => text !== null);
    const found = evaluate(query, (leaf) => {
      if (leaf.kind === "filter") return sessionHolds(leaf, facts, nowMs);
      return texts.some((text) => finder.holds(leaf, text));
    });
    return found === true;
  };
  return { keep, problems: errors };
}

/** A filter of a query. */
export type Filter = { name: FilterName; value: string };

/**
 * Whether a filter matches a session as a whole: it has such a tool, such an error, such a file. Null
 * while that is unknown. `in:` does not apply to sessions.
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
 * Whether a filter matches the texts of a session: true or false where it does for all of them, null
 * where each text must be checked.
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
      // Only errors are counted for the whole session; a call that never ended is recognized at the call.
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

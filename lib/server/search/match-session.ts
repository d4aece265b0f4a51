import { evaluate } from "@/lib/query/evaluate";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { QueryProblem } from "@/lib/wire/search";
import { readAskedQuery } from "./asked-query";
import { holdsForSession } from "./filter-matchers";
import { createTextFinder, type TextFinder } from "./find-in-text";
import { RegexWatch, SERVER_LIMITS, slowProblems } from "./regex-watch";
import { factsOf } from "./sources";

type World = { catalog: Catalog; scanner: Scanner };

type SessionFilter = {
  /** `null`: every one. */
  keep: ((session: SessionSummary) => boolean) | null;
  /** Hidden sessions are asked for. */
  withHidden: boolean;
  /** What the query says wrong, and after `keep` was asked how many sessions it could not be asked of. */
  problems: () => QueryProblem[];
};

/**
 * The library's filter for a query: its words in titles, first prompt, branch or folder, and its filters; and the
 * problems with the query. `zone`: whose days its dates are. `ids`: only these sessions, which may be hidden.
 */
export function sessionFilter(
  world: World,
  q: string | null,
  zone: string | null = null,
  ids: readonly SessionId[] | null = null,
): SessionFilter {
  const filter = queryFilter(world, q, zone);
  if (ids === null) return filter;
  const asked = new Set(ids);
  const keep = (session: SessionSummary) => asked.has(session.id) && (filter.keep?.(session) ?? true);
  return { ...filter, keep, withHidden: true };
}

function queryFilter(world: World, q: string | null, zone: string | null): SessionFilter {
  if (q === null || q.trim() === "") return { keep: null, withHidden: false, problems: () => [] };
  const nowMs = Date.now();
  const { query, errors } = readAskedQuery(q, { here: null, zone, nowMs });
  const withHidden = /\bis:"?hidden\b/i.test(q);
  const watch = new RegexWatch(SERVER_LIMITS);
  const finder = createTextFinder(query, watch);
  const keep = (session: SessionSummary) => {
    const { id } = session;
    const facts = factsOf(world, id);
    const { title, firstPrompt, gitBranch } = facts.summary;
    const { marks } = session;
    const own = marks ? [marks.note, ...marks.tags] : [];
    // A session is also found by the title that it had before its reader renamed it.
    const logged = marks?.name != null ? world.catalog.loggedTitle(id) : null;
    const texts = [title, logged, firstPrompt, gitBranch, facts.path, ...own].filter((text) => text !== null);
    const found = evaluate(query, (leaf) => {
      if (leaf.kind === "filter") return holdsForSession(leaf, facts, nowMs);
      return holdsForAny(finder, leaf, texts);
    });
    return found === true;
  };
  return { keep, withHidden, problems: () => [...errors, ...slowProblems(q, watch)] };
}

/** Null if it holds for none, and in some an expression took too long. */
function holdsForAny(
  finder: TextFinder,
  leaf: Parameters<TextFinder["holds"]>[0],
  texts: readonly string[],
): boolean | null {
  let isUnknown = false;
  for (const text of texts) {
    const holds = finder.holds(leaf, text);
    if (holds) return true;
    isUnknown ||= holds === null;
  }
  return isUnknown ? null : false;
}

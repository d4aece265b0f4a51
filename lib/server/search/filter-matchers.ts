import { isSuggestion } from "@/lib/log/graph/threads";
import { isSameHash } from "@/lib/log/rows/calls/git-outcome";
import type { Filter, FilterName, FilterOf } from "@/lib/query/filters";
import { matchesGlob, matchesPart, matchesPath } from "@/lib/query/matches-glob";
import { isAmount, parseAmount, parseMoment } from "@/lib/query/values";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import { uuidOfSession } from "@/lib/wire/ids";
import { isHidden, isRunning, unansweredEnd } from "@/lib/wire/library";
import { failedCalls } from "@/lib/wire/library-columns";
import { TEXT_STATES, type TextState } from "@/lib/wire/search";
import type { CallLookup, CallStatus } from "./call-lookup";
import { hasGrown, type LocatedText, type SearchSource, type SessionFacts } from "./sources";

/** A text, its session, and the session's calls, which are read only where a filter asks for them. */
export type TextInSession = { source: SearchSource; text: LocatedText; calls: () => CallLookup | null };

/**
 * Whether a filter holds for a session: whether it contains such a tool, such an error. Null while that is not known.
 */
type SessionTest = (value: string, facts: SessionFacts, nowMs: number) => boolean | null;

type TextTest = (value: string, place: TextInSession, nowMs: number) => boolean;

type Both = {
  session: SessionTest;
  text: TextTest;
  /** Whether the filter can hold for no text of a session for which it does not hold. */
  rulesOut: (value: string) => boolean;
  /**
   * For a filter that can hold for texts where it does not hold for their session: whether it may hold for any of them.
   */
  anyText?: SessionTest;
};

/** How each filter of the catalogue is tested, by what it applies to. */
type Matchers = { [Name in FilterOf<"sessions">]: { session: SessionTest } } & {
  [Name in FilterOf<"texts">]: { text: TextTest };
} & { [Name in FilterOf<"both">]: Both };

const always = () => true;

const MATCHERS = {
  in: {
    text: (value, place) => {
      const wanted = value.toLowerCase();
      if (wanted === "agent") return agentOf(place) !== null;
      // Whoever searches for what was typed means commands too.
      return (
        place.text.field === (wanted === "prompt" && place.text.field === "command" ? "command" : wanted)
      );
    },
  },
  tool: {
    session: (value, { facets }) => facets && facets.tools.some((tool) => matchesGlob(value, tool)),
    // The whole name must match: TaskOutput is another tool than Task.
    text: (value, place) => {
      if (place.text.tool !== null) return matchesGlob(value, place.text.tool);
      return isOfCall(place.text) && matchesGlob(value, callOf(place)?.tool ?? "");
    },
    rulesOut: always,
  },
  is: {
    session: (value, { summary, facets }) => {
      const failed = failedCalls(summary);
      const counted = { error: failed, denied: summary.toolsDenied }[value.toLowerCase()];
      if (counted !== undefined) return counted === null ? null : counted > 0;
      const many = PASSED[value.toLowerCase()];
      if (many) return facets && many(facets);
      const marked = isMarked(value, summary);
      if (marked !== null) return marked;
      if (isOpenEnd(value)) return summary.indexed ? unansweredEnd(summary) !== null : null;
      return isRunning(summary);
    },
    text: (value, place) => {
      const { summary } = place.source;
      const marked = isMarked(value, summary);
      if (marked !== null) return marked;
      if (isOpenEnd(value)) return unansweredEnd(summary) !== null;
      const state = TEXT_STATES.find((one) => one === value.toLowerCase());
      return state !== undefined && isInState(state, place.text, place.calls);
    },
    // What is counted for the whole session; calls that never ended are found among the texts.
    rulesOut: (value) => value.toLowerCase() !== "running",
  },
  has: {
    session: (value, { facets, summary: { marks } }) => {
      const mark = HAS_MARK[value.toLowerCase()];
      if (mark) return marks !== null && Boolean(marks[mark]);
      return facets && facets[HAS[value.toLowerCase()] ?? "compactions"] > 0;
    },
  },
  // The whole name must match: a tag is often a part of another.
  tag: {
    session: (value, { summary: { marks } }) =>
      marks !== null && marks.tags.some((tag) => matchesGlob(value, tag)),
  },
  file: {
    session: (value, { facets }) => facets && facets.paths.some((changed) => matchesPath(value, changed)),
    text: (value, place) => {
      const { field, text } = place.text;
      if (
        field === "input" &&
        text.split("\n", 8).some((line) => line.length < 1024 && matchesPath(value, line))
      )
        return true;
      const path = callOf(place)?.path;
      return path ? matchesPath(value, path) : false;
    },
    rulesOut: () => false,
  },
  commit: {
    session: (value, { facets }) =>
      facets && facets.git.commits.some((hash) => isSameHash(hash, value.toLowerCase())),
  },
  pr: {
    session: (value, { facets }) => {
      const number = /^#?(\d+)$/.exec(value)?.[1];
      // `owner/name#1` and `…/pull/1` end with a number, with which another number may begin.
      const ending = /(?:#|\/(?:pull|merge_requests)\/)(\d+)$/.exec(value)?.[1] ?? number;
      const isMeant = (request: { number: number; name: string }) =>
        (ending === undefined || request.number === Number(ending)) &&
        (number !== undefined || matchesPart(value, request.name));
      return facets && facets.git.requests.some(isMeant);
    },
  },
  session: {
    session: (value, { id }) => {
      const wanted = value.toLowerCase();
      return [id, uuidOfSession(id) ?? id].some((one) => one.toLowerCase().startsWith(wanted));
    },
  },
  project: {
    session: (value, { path }) =>
      matchesPart(value, path) || matchesPart(value, path.replace(/^.*[\\/]/, "")),
  },
  branch: {
    session: (value, { summary }) => summary.gitBranch !== null && matchesPart(value, summary.gitBranch),
  },
  model: {
    session: (value, { summary }) => some(summary.models, value) || (summary.indexed ? false : null),
  },
  agent: {
    session: (value, { facets }) => facets && some(facets.agentTypes, value),
    text: (value, { text, calls }) => {
      const agent = calls()?.agent(text.file, text.offset);
      return agent?.type ? matchesPart(value, agent.type) : false;
    },
    rulesOut: always,
  },
  after: {
    session: (value, { summary }, nowMs) => {
      const moment = parseMoment(value, nowMs);
      return moment === null || summary.lastActiveAtMs === null ? null : summary.lastActiveAtMs >= moment;
    },
    text: (value, { text }, nowMs) => text.atMs !== null && text.atMs >= (parseMoment(value, nowMs) ?? 0),
    rulesOut: always,
    // A title has the time that is listed, and agents may write on when their session has ended.
    anyText: (value, { summary: { lastActiveAtMs }, facets }, nowMs) => {
      const moment = parseMoment(value, nowMs);
      if (moment === null || !facets) return null;
      return [lastActiveAtMs, facets.lastAtMs].some((atMs) => atMs !== null && atMs >= moment);
    },
  },
  before: {
    session: (value, { summary }, nowMs) => {
      const moment = parseMoment(value, nowMs);
      return moment === null || summary.startedAtMs === null ? null : summary.startedAtMs < moment;
    },
    text: (value, { text }, nowMs) => text.atMs !== null && text.atMs < (parseMoment(value, nowMs) ?? 0),
    rulesOut: always,
    anyText: (value, { summary: { lastActiveAtMs }, facets }, nowMs) => {
      const moment = parseMoment(value, nowMs);
      if (moment === null || !facets) return null;
      return [lastActiveAtMs, facets.firstAtMs].some((atMs) => atMs !== null && atMs < moment);
    },
  },
  tokens: {
    session: (value, { summary }) => {
      const amount = parseAmount(value);
      return summary.tokens === null || !amount ? null : isAmount(amount, summary.tokens);
    },
  },
  cost: {
    session: (value, { summary: { cost } }) => {
      const amount = parseAmount(value);
      // A session without a price never matches, whatever the comparison.
      if (!amount || !cost) return null;
      return cost.microUsd !== null && isAmount(amount, cost.microUsd / 1e6);
    },
  },
  storage: { session: (value, { summary }) => summary.storage === value.toLowerCase() },
} satisfies Matchers;

/** What a session has of what was left behind, by the value of `is:`. */
const PASSED: Partial<Record<string, (facets: SessionFacets) => boolean>> = {
  abandoned: ({ branches }) => branches > 1,
  compacted: ({ compactions }) => compactions > 0,
};

const HAS: Partial<Record<string, "images" | "diffs" | "compactions">> = {
  image: "images",
  diff: "diffs",
  compaction: "compactions",
};

const HAS_MARK: Partial<Record<string, "note" | "bookmarks" | "comments">> = {
  note: "note",
  bookmark: "bookmarks",
  comment: "comments",
};

/** Whether `is:` asks for sessions that ended with something unanswered: all of their texts are such. */
function isOpenEnd(value: string): boolean {
  return value.toLowerCase() === "unanswered";
}

/** The reader's mark that is asked for; null for any other value of `is:`. */
function isMarked(value: string, summary: SessionFacts["summary"]): boolean | null {
  const wanted = value.toLowerCase();
  if (wanted === "hidden") return isHidden(summary);
  return wanted === "starred" ? (summary.marks?.starred ?? false) : null;
}

function matcherOf(name: FilterName): Partial<Both> {
  return MATCHERS[name];
}

/** Whether a filter holds for a session as a whole; null while that is not known. A filter for texts alone holds. */
export function holdsForSession({ name, value }: Filter, facts: SessionFacts, nowMs: number): boolean | null {
  const { session } = matcherOf(name);
  return session ? session(value, facts, nowMs) : true;
}

/**
 * Whether a filter holds for the texts of a session: true or false if it does for all of them, null if each text must
 * be checked. What was scanned of a log says nothing about lines that were written since.
 */
export function holdsForTexts(filter: Filter, source: SearchSource, nowMs: number): boolean | null {
  const { session, text, rulesOut, anyText = session } = matcherOf(filter.name);
  if (!text) return holdsForSession(filter, source, nowMs);
  if (!rulesOut?.(filter.value) || hasGrown(source)) return null;
  return anyText?.(filter.value, source, nowMs) === false ? false : null;
}

/** Whether a filter holds for one text. */
export function holdsForText(filter: Filter, place: TextInSession, nowMs: number): boolean {
  const { text } = matcherOf(filter.name);
  return text ? text(filter.value, place, nowMs) : holdsForTexts(filter, place.source, nowMs) === true;
}

/**
 * The agent that wrote a text; null for the main thread. The client's prediction of a prompt (2.1.29) may begin with the
 * thread's last answer, which is in no other log.
 */
export function agentOf({ source, text, calls }: TextInSession): string | null {
  if (text.agentId !== null && !isSuggestion(text.agentId)) return text.agentId;
  if (text.agentId !== null) {
    const lookup = calls();
    return lookup ? (lookup.agent(text.file, text.offset)?.agentId ?? null) : text.agentId;
  }
  const isSidechain = text.sidechain ?? source.facets?.sidechains ?? false;
  return isSidechain ? (calls()?.agent(text.file, text.offset)?.agentId ?? null) : null;
}

type PlacedText = Pick<LocatedText, "file" | "offset" | "block" | "field">;

/** Whether a text is in a state that `is:` asks for. A title stands on no branch and before no compaction. */
function isInState(state: TextState, text: PlacedText, calls: () => CallLookup | null): boolean {
  if (text.field === "title") return false;
  const { file, offset, block } = text;
  if (state === "abandoned") return calls()?.isAbandoned(file, offset) ?? false;
  if (state === "compacted") return calls()?.isCompacted(file, offset) ?? false;
  const call = isOfCall(text) ? calls()?.call(file, offset, block) : null;
  if (!call) return false;
  return { error: call.failed, denied: call.denied, running: !call.answered }[state];
}

/** Every state that a text is in: those of `is:` that hold for it. */
export function textStates(text: PlacedText, lookup: CallLookup): TextState[] {
  return TEXT_STATES.filter((state) => isInState(state, text, () => lookup));
}

/** Whether no text of a session can be in any state, as far as its counts say. */
export function hasNoStates(source: SearchSource): boolean {
  const { facets, summary } = source;
  if (!facets || hasGrown(source) || facets.branches > 1 || facets.compactions + facets.unanswered > 0)
    return false;
  return failedCalls(summary) === 0 && summary.toolsDenied === 0;
}

function isOfCall({ field }: Pick<LocatedText, "field">): boolean {
  return field === "input" || field === "output";
}

/** The call that a text belongs to, if any. */
function callOf({ text, calls }: TextInSession): CallStatus | null {
  return isOfCall(text) ? (calls()?.call(text.file, text.offset, text.block) ?? null) : null;
}

function some(values: readonly string[], pattern: string): boolean {
  return values.some((value) => matchesPart(pattern, value));
}

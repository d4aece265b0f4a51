import { evaluate } from "@/lib/query/evaluate";
import { matchesGlob, matchesPart, matchesPath } from "@/lib/query/matches-glob";
import type { Leaf, Query } from "@/lib/query/query";
import { parseMoment } from "@/lib/query/values";
import type { RecordId } from "@/lib/wire/ids";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { createTextFinder, type Range, type TextFinder } from "./find-in-text";
import { boundHolds } from "./match-session";
import type { SearchSource } from "./sources";

const MAX_RANGES = 20;

/** A text and its position in a session. */
export type LocatedText = {
  file: string;
  /** The agent whose log it is. */
  agentId: string | null;
  /** Its line marks it as an agent's (1.0.128: in the main log); undefined where the line is not available. */
  sidechain?: boolean;
  offset: number;
  block: number;
  field: SearchField;
  atMs: number | null;
  /** The tool, where the text itself names it. */
  tool: string | null;
  text: string;
};

/** Matches texts against one query. */
export type TextMatcher = {
  /** False if no text of the session can match. */
  mayHold(source: SearchSource): boolean;
  /** The hit, if the text matches. `calls` is only called where a filter needs it. */
  match(source: SearchSource, text: LocatedText, calls: () => CallLookup | null): SearchHit | null;
};

/** A matcher for a query. `nowMs`: the time from which ages such as `7d` are counted. */
export function createTextMatcher(query: Query | null, nowMs: number): TextMatcher {
  const finder = createTextFinder(query);
  return {
    mayHold: (source) =>
      evaluate(query, (leaf) => (leaf.kind === "filter" ? boundHolds(leaf, source, nowMs) : null)) !== false,
    match(source, text, calls) {
      const found = evaluate(query, (leaf) => holds(leaf, finder, source, text, calls, nowMs));
      return found === true ? toHit(source, text, calls, finder) : null;
    },
  };
}

function toHit(
  source: SearchSource,
  located: LocatedText,
  calls: () => CallLookup | null,
  finder: TextFinder,
): SearchHit {
  const { file, offset, block, field, tool, atMs, text } = located;
  return {
    projectId: source.projectId,
    sessionId: source.id,
    agentId: agentOf(source, located, calls) as SearchHit["agentId"],
    recordId: `${file}~${offset.toString(36)}` as RecordId,
    block,
    field,
    tool,
    ...toSnippet(text, finder.ranges(text, MAX_RANGES)),
    atMs,
  };
}

function holds(
  leaf: Leaf,
  finder: TextFinder,
  source: SearchSource,
  text: LocatedText,
  calls: () => CallLookup | null,
  nowMs: number,
): boolean {
  if (leaf.kind !== "filter") return finder.holds(leaf, text.text);
  const { name, value } = leaf;
  switch (name) {
    case "in":
      return value.toLowerCase() === "agent"
        ? agentOf(source, text, calls) !== null
        : text.field === value.toLowerCase();
    case "before":
      return text.atMs !== null && text.atMs < (parseMoment(value, nowMs) ?? 0);
    case "after":
      return text.atMs !== null && text.atMs >= (parseMoment(value, nowMs) ?? 0);
    case "agent": {
      const agent = calls()?.agent(text.file, text.offset);
      return agent?.type ? matchesPart(value, agent.type) : false;
    }
    case "tool":
      // The whole name must match: TaskOutput is another tool than Task.
      if (text.tool !== null) return matchesGlob(value, text.tool);
      return (
        isOfCall(text) && matchesGlob(value, calls()?.call(text.file, text.offset, text.block)?.tool ?? "")
      );
    case "is": {
      const call = isOfCall(text) ? calls()?.call(text.file, text.offset, text.block) : null;
      if (!call) return false;
      return value.toLowerCase() === "error" ? call.failed : !call.answered;
    }
    case "file": {
      if (
        text.field === "input" &&
        text.text.split("\n", 8).some((line) => line.length < 1024 && matchesPath(value, line))
      )
        return true;
      const path = isOfCall(text) ? calls()?.call(text.file, text.offset, text.block)?.path : null;
      return path ? matchesPath(value, path) : false;
    }
    default:
      return boundHolds(leaf, source, nowMs) === true;
  }
}

/** The agent that wrote a text; null for the main thread. */
function agentOf(source: SearchSource, text: LocatedText, calls: () => CallLookup | null): string | null {
  if (text.agentId !== null) return text.agentId;
  const isSidechain = text.sidechain ?? source.facets?.sidechains ?? false;
  return isSidechain ? (calls()?.agent(text.file, text.offset)?.agentId ?? null) : null;
}

function isOfCall({ field }: LocatedText): boolean {
  return field === "input" || field === "output";
}

const BEFORE = 60;
const LENGTH = 240;
/** A partial word at the start is left out if it is no longer than this. */
const MAX_STUB = 24;

/**
 * The part of a text around its first match, on one line, with the ranges of the matches in it; "…" stands for what
 * precedes it. Without a match the beginning of the text.
 */
export function toSnippet(text: string, ranges: readonly Range[]): { snippet: string; ranges: Range[] } {
  const first = ranges[0] ?? [0, 0];
  let from = first[0] <= BEFORE ? 0 : first[0] - BEFORE;
  if (from > 0) from += stubLength(text.slice(from, Math.min(first[0], from + MAX_STUB)));
  if (isLowSurrogate(text, from)) from -= 1;
  const lead = from > 0 ? "…" : "";
  let to = Math.min(text.length, Math.max(from + LENGTH, Math.min(first[1], from + 2 * LENGTH)));
  if (isLowSurrogate(text, to)) to += 1;
  // Replaced character by character, so that the ranges stay valid.
  const snippet = text
    .slice(from, to)
    .replace(/[\s\0]/g, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd");
  const inside = ranges.filter((range) => range[0] >= from && range[0] < to && range[1] > range[0]);
  const shift = lead.length - from;
  return {
    snippet: lead + snippet,
    ranges: inside.map((range) => [range[0] + shift, Math.min(range[1], to) + shift]),
  };
}

/** How many characters to skip to start at a word; 0 where no word starts soon. */
function stubLength(text: string): number {
  return text.search(/\s/) + 1;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

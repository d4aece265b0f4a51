import { evaluate } from "@/lib/query/evaluate";
import type { Leaf, Query } from "@/lib/query/parse-query";
import { requiredTerms, searchTerms } from "@/lib/query/required-terms";
import { UNINDEXED_FIELDS } from "@/lib/server/index/record-texts";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchField, SearchHit, SearchProgress } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import type { ChunkIndex } from "./chunk-index";
import { plainPattern, rawPattern } from "./find-in-text";
import { IndexSearch, titleHits } from "./index-search";
import { scanLogs } from "./log-scan";
import type { RegexWatch } from "./regex-watch";
import { scanResultFiles } from "./result-files";
import type { SearchSource } from "./sources";
import { createTextMatcher, type TextMatcher } from "./text-matcher";

/**
 * `unindexed`: the index has been searched, and from the next step on logs are read; these sessions are read
 * completely, because the index could not answer for them. A search that ends without it has nothing to read.
 */
export type SearchStep = { hits: SearchHit[]; progress: SearchProgress; unindexed?: SessionId[] };

/**
 * The part of a search that one of several threads does. The first one searches titles and index; then each reads
 * its share of the logs. `unindexed` is the result of the first one, for the others: they start before it is known.
 */
export type SearchPart = { nth: number; of: number; unindexed: readonly SessionId[] };

type SearchOptions = {
  query: Query | null;
  /** Newest first. */
  sources: readonly SearchSource[];
  chunks: ChunkIndex | null;
  calls: (source: SearchSource) => CallLookup | null;
  nowMs: number;
  /** Hits contain the finds of regular expressions, so that they can be marked. */
  toMark?: boolean;
  part?: SearchPart;
  /** Ends looking for expressions that takes too long, or that nobody waits for. */
  watch?: RegexWatch;
};

const ALL: SearchPart = { nth: 0, of: 1, unindexed: [] };

/**
 * Searches titles, then the index, then the logs, in small steps, so that the caller decides when to
 * stop. Ends when everything has been searched. A query without a word, such as `tool:Bash is:error`,
 * finds conversation texts of the index, and none of the logs' other strings unless it asks for them (`in:output`).
 */
export function* runSearch(options: SearchOptions): Generator<SearchStep> {
  const { query, chunks, part = ALL } = options;
  const matcher = createTextMatcher(query, options.nowMs, options.toMark, options.watch);
  const sources = options.sources.filter((source) => matcher.mayHold(source));
  const share = shareOf(sources, part);
  const progress = progressOf(sources);
  const callsOf = lastLookups(options.calls);
  if (query === null) return;
  const terms = requiredTerms(query);
  // Without a word every string of every line would match.
  const conversationOnly = searchTerms(query).length === 0 && !isForOthersAlone(query);
  const index = new IndexSearch({ requiredTerms: terms, matcher, chunks, callsOf });
  const found = index.unindexed;
  if (part.nth === 0) {
    for (const hits of titleHits(sources, matcher)) yield { hits, progress };
    for (const hits of index.hits(sources)) yield { hits, progress };
  }
  const isInIndex = conversationOnly || isForIndexedAlone(query);
  if (part.nth === 0 && isInIndex && sources.every((source) => !found.has(source.id) && isWhole(source))) {
    const { bytesTotal: bytesDone, filesTotal: filesDone } = progress;
    yield { hits: [], progress: { ...progress, bytesDone, filesDone } };
    return;
  }
  yield { hits: [], progress, unindexed: [...found] };
  // Read only now: the other parts receive it after they have started.
  const unindexed = new Set<SessionId>([...found, ...part.unindexed]);

  const patterns = terms && { raw: rawPattern(terms), plain: plainPattern(terms) };
  for (const source of share) {
    if (isInIndex && !unindexed.has(source.id) && isWhole(source)) {
      for (const file of source.files) progress.bytesDone += file.bytes;
      progress.filesDone += source.files.length;
      continue;
    }
    const scope = {
      source: unindexed.has(source.id) ? { ...source, indexed: new Map() } : source,
      pattern: patterns?.raw ?? null,
      conversationOnly,
    };
    const calls = callsOf(source);
    const isNew = newHits(matcher);
    for (const { hits, bytesRead, fileDone } of scanLogs(scope, matcher, calls)) {
      progress.bytesDone += bytesRead;
      if (fileDone) progress.filesDone += 1;
      yield { hits: hits.filter(isNew), progress: { ...progress } };
    }
    if (isInIndex) continue;
    for (const hits of scanResultFiles(source, patterns?.plain ?? null, matcher, calls))
      yield { hits: hits.filter(isNew), progress: { ...progress } };
  }
  const { bytesTotal: bytesDone, filesTotal: filesDone } = progressOf(share);
  yield { hits: [], progress: { ...progress, bytesDone, filesDone } };
}

const MAX_LOOKUPS = 8;

/** The graphs of the sessions that were asked about last: each takes a scan, and memory. */
function lastLookups(calls: SearchOptions["calls"]): (source: SearchSource) => () => CallLookup | null {
  const lookups = new Map<SearchSource, CallLookup | null>();
  return (source) => () => {
    const known = lookups.get(source);
    if (known !== undefined) return known;
    if (lookups.size > MAX_LOOKUPS) lookups.clear();
    const lookup = calls(source);
    lookups.set(source, lookup);
    return lookup;
  };
}

/**
 * Tells the hits of a session that are told once from those that repeat one: a saved output is also in its line, either
 * its beginning (2.1.330) or all of it (2.1.29, 2.1.42).
 */
function newHits(matcher: TextMatcher): (hit: SearchHit) => boolean {
  const outputs = new Set<string>();
  return (hit) => {
    if (hit.field !== "output" || matcher.tellsFound) return true;
    const place = `${hit.recordId}.${hit.block}`;
    const isKnown = outputs.has(place);
    outputs.add(place);
    return !isKnown;
  };
}

/** The sessions of one part: each goes to the part with the least to read so far, newest first. */
function shareOf(sources: readonly SearchSource[], { nth, of }: SearchPart): readonly SearchSource[] {
  if (of === 1) return sources;
  const bytes = Array.from({ length: of }, () => 0);
  return sources.filter(({ files }) => {
    const least = bytes.indexOf(Math.min(...bytes));
    bytes[least] = (bytes[least] ?? 0) + files.reduce((sum, file) => sum + file.bytes, 0);
    return least === nth;
  });
}

/** Whether a query, such as one with `in:input`, can only find what the index contains. */
function isForIndexedAlone(query: Query): boolean {
  return UNINDEXED_FIELDS.every((field) => evaluate(query, isOfField(field)) === false);
}

/** The fields of what was said, nearly all of which is in the index. */
const CONVERSATION = [
  "title",
  "prompt",
  "text",
  "thinking",
  "input",
] as const satisfies readonly SearchField[];

/** Whether a query, such as one with `in:output`, can find nothing of what was said. */
function isForOthersAlone(query: Query): boolean {
  return CONVERSATION.every((field) => evaluate(query, isOfField(field)) === false);
}

/** Whether a text of this field passes the `in:` filters; all other filters may hold. */
function isOfField(field: SearchField): (leaf: Leaf) => boolean | null {
  return (leaf) =>
    leaf.kind === "filter" && leaf.name === "in" && leaf.value.toLowerCase() !== "agent"
      ? leaf.value.toLowerCase() === field
      : null;
}

function isWhole({ files, indexed }: SearchSource): boolean {
  return files.every(({ key, bytes }) => (indexed.get(key) ?? 0) >= bytes);
}

function progressOf(sources: readonly SearchSource[]): SearchProgress {
  const files = sources.flatMap((source) => source.files);
  return {
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0),
    filesDone: 0,
    filesTotal: files.length,
  };
}

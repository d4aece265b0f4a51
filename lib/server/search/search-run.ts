import { needlesOf, soughtIn } from "@/lib/query/needles";
import type { Query } from "@/lib/query/query";
import type { SearchHit, SearchProgress } from "@/lib/wire/search";
import type { CallLookup } from "./call-facts";
import type { ChunkIndex } from "./chunk-index";
import { deepHits } from "./deep-hits";
import { keptOutputHits } from "./kept-output-hits";
import { plainPattern, rawPattern } from "./needle-pattern";
import { rankHits } from "./rank-hits";
import type { SearchSource } from "./search-source";
import { createTextJudge, type PlacedText, type TextJudge } from "./text-judge";

/** `indexDone`: what comes behind this step has to be read from the logs. */
export type SearchStep = { hits: SearchHit[]; progress: SearchProgress; indexDone?: boolean };

export type SearchOptions = {
  query: Query | null;
  /** Newest first. */
  sources: readonly SearchSource[];
  chunks: ChunkIndex | null;
  calls(source: SearchSource): CallLookup | null;
  nowMs: number;
};

/** Hits of the index are ranked together up to this many, or as many as are found in the time below. */
const RANK_MOST = 2000;
const RANK_MS = 30;

/**
 * Searches titles, then the index, then the logs, in small steps: whoever takes them decides when to
 * stop. Ends when everything has been looked at. A query without a word, such as `tool:Bash is:error`,
 * finds what the index holds of the conversation, and nothing of the logs' other strings.
 */
export function* runSearch(options: SearchOptions): Generator<SearchStep> {
  const { query, chunks } = options;
  const judge = createTextJudge(query, options.nowMs);
  const sources = options.sources.filter((source) => judge.mayHold(source));
  const progress = progressOf(sources);
  const lookups = new Map<SearchSource, CallLookup | null>();
  const callsOf = (source: SearchSource) => () => {
    const known = lookups.get(source);
    if (known !== undefined) return known;
    if (lookups.size > 8) lookups.clear();
    const lookup = options.calls(source);
    lookups.set(source, lookup);
    return lookup;
  };
  if (query === null) return;
  yield { hits: titleHits(sources, judge), progress };

  const needles = needlesOf(query);
  const hasWords = soughtIn(query).length > 0;
  const unindexed = new Set<SearchSource>();
  yield* indexedHits(sources, needles, judge, chunks, callsOf, unindexed, progress);
  yield { hits: [], progress, indexDone: true };

  const patterns = needles && { raw: rawPattern(needles), plain: plainPattern(needles) };
  for (const source of sources) {
    // Without a word every string of every line would be a find.
    if (!hasWords && !unindexed.has(source) && isWhole(source)) {
      for (const file of source.files) progress.bytesDone += file.bytes;
      progress.filesDone += source.files.length;
      continue;
    }
    const scope = {
      source: unindexed.has(source) ? { ...source, indexed: new Map() } : source,
      pattern: patterns?.raw ?? null,
      conversationOnly: !hasWords,
    };
    const calls = callsOf(source);
    for (const { hits, bytesRead, fileDone } of deepHits(scope, judge, calls)) {
      progress.bytesDone += bytesRead;
      if (fileDone) progress.filesDone += 1;
      yield { hits, progress: { ...progress } };
    }
    if (!hasWords) continue;
    for (const hits of keptOutputHits(source, patterns?.plain ?? null, judge, calls))
      yield { hits, progress: { ...progress } };
  }
  yield {
    hits: [],
    progress: { ...progress, bytesDone: progress.bytesTotal, filesDone: progress.filesTotal },
  };
}

function* indexedHits(
  sources: readonly SearchSource[],
  needles: readonly string[] | null,
  judge: TextJudge,
  chunks: ChunkIndex | null,
  callsOf: (source: SearchSource) => () => CallLookup | null,
  unindexed: Set<SearchSource>,
  progress: SearchProgress,
): Generator<SearchStep> {
  let found: SearchHit[] = [];
  let begunAtMs = performance.now();
  const pattern = needles && plainPattern(needles);
  for (const source of sources) {
    if (source.indexed.size === 0) continue;
    const candidates = chunks?.candidates(source.files[0]?.path ?? "", needles) ?? null;
    if (candidates === null) {
      unindexed.add(source);
      continue;
    }
    const before = found.length;
    for (const id of candidates) {
      const hits = chunkHits(source, chunks?.read(id) ?? null, pattern, judge, callsOf(source));
      if (hits === null) {
        // All of the session is read instead, so what was found of it must not come twice.
        found.length = before;
        unindexed.add(source);
        break;
      }
      found.push(...hits);
    }
    if (found.length >= RANK_MOST || performance.now() - begunAtMs > RANK_MS) {
      yield { hits: rankHits(found), progress };
      found = [];
      begunAtMs = performance.now();
    }
  }
  if (found.length > 0) yield { hits: rankHits(found), progress };
}

/** Null where the chunk cannot be read. */
function chunkHits(
  source: SearchSource,
  chunk: ReturnType<ChunkIndex["read"]>,
  pattern: RegExp | null,
  judge: TextJudge,
  calls: () => CallLookup | null,
): SearchHit[] | null {
  if (chunk === null) return null;
  const hits: SearchHit[] = [];
  const bytes = pattern ? chunk.texts.toString("latin1") : "";
  if (pattern) pattern.lastIndex = 0;
  let next = pattern ? nextFind(pattern, bytes) : 0;
  for (const { from, to, ...place } of chunk.places) {
    if (next === -1) break;
    if (pattern && next >= to) continue;
    const agentId = source.files.find(({ key }) => key === place.file)?.agentId ?? null;
    const hit = judge.judge(
      source,
      { ...place, agentId, text: chunk.texts.toString("utf8", from, to) },
      calls,
    );
    if (hit) hits.push(hit);
    if (!pattern) continue;
    pattern.lastIndex = to;
    next = nextFind(pattern, bytes);
  }
  return hits;
}

function nextFind(pattern: RegExp, bytes: string): number {
  return pattern.exec(bytes)?.index ?? -1;
}

/** Titles and folders, which the library knows by heart. */
function titleHits(sources: readonly SearchSource[], judge: TextJudge): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const source of sources) {
    const atMs = source.summary.lastActiveAtMs;
    const place: Omit<PlacedText, "text"> = {
      file: "m",
      agentId: null,
      offset: 0,
      block: 0,
      field: "title",
      atMs,
      tool: null,
    };
    const { title, titleSource } = source.summary;
    // A title that was made from the first prompt would be found twice.
    const texts = titleSource === "prompt" ? [source.path] : [title, source.path];
    const found = texts.map((text) => judge.judge(source, { ...place, text }, () => null));
    const hit = found.find((one) => one !== null);
    if (hit && hit.ranges.length > 0) hits.push(hit);
  }
  return rankHits(hits);
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

import type { Query } from "@/lib/query/query";
import { requiredTerms, searchTerms } from "@/lib/query/required-terms";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit, SearchProgress } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import type { ChunkIndex } from "./chunk-index";
import { plainPattern, rawPattern } from "./find-in-text";
import { indexedHits, titleHits } from "./indexed-hits";
import { scanLogs, scanResultFiles } from "./log-scan";
import type { SearchSource } from "./sources";
import { createTextMatcher } from "./text-matcher";

/**
 * `unindexed`: the index has been gone through, and what comes behind this step is read from the logs; of
 * these sessions everything is, since the index could not tell.
 */
export type SearchStep = { hits: SearchHit[]; progress: SearchProgress; unindexed?: SessionId[] };

/**
 * What one of several threads does of a search. The first goes through titles and index; then each reads
 * its share of the logs. `unindexed` is what the first one said, for the others: they are begun before it is known.
 */
export type SearchPart = { nth: number; of: number; unindexed: readonly SessionId[] };

export type SearchOptions = {
  query: Query | null;
  /** Newest first. */
  sources: readonly SearchSource[];
  chunks: ChunkIndex | null;
  calls(source: SearchSource): CallLookup | null;
  nowMs: number;
  part?: SearchPart;
};

const ALL: SearchPart = { nth: 0, of: 1, unindexed: [] };

/**
 * Searches titles, then the index, then the logs, in small steps: whoever takes them decides when to
 * stop. Ends when everything has been looked at. A query without a word, such as `tool:Bash is:error`,
 * finds what the index holds of the conversation, and nothing of the logs' other strings.
 */
export function* runSearch(options: SearchOptions): Generator<SearchStep> {
  const { query, chunks, part = ALL } = options;
  const judge = createTextMatcher(query, options.nowMs);
  const sources = options.sources.filter((source) => judge.mayHold(source));
  const share = shareOf(sources, part);
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
  const needles = requiredTerms(query);
  const hasWords = searchTerms(query).length > 0;
  const found = new Set<SessionId>();
  if (part.nth === 0) {
    yield { hits: titleHits(sources, judge), progress };
    for (const hits of indexedHits(sources, needles, judge, chunks, callsOf, found)) yield { hits, progress };
  }
  yield { hits: [], progress, unindexed: [...found] };
  // Only now: of the parts that are not the first it is told after they have begun.
  const unindexed = new Set<SessionId>([...found, ...part.unindexed]);

  const patterns = needles && { raw: rawPattern(needles), plain: plainPattern(needles) };
  for (const source of share) {
    // Without a word every string of every line would be a find.
    if (!hasWords && !unindexed.has(source.id) && isWhole(source)) {
      for (const file of source.files) progress.bytesDone += file.bytes;
      progress.filesDone += source.files.length;
      continue;
    }
    const scope = {
      source: unindexed.has(source.id) ? { ...source, indexed: new Map() } : source,
      pattern: patterns?.raw ?? null,
      conversationOnly: !hasWords,
    };
    const calls = callsOf(source);
    for (const { hits, bytesRead, fileDone } of scanLogs(scope, judge, calls)) {
      progress.bytesDone += bytesRead;
      if (fileDone) progress.filesDone += 1;
      yield { hits, progress: { ...progress } };
    }
    if (!hasWords) continue;
    for (const hits of scanResultFiles(source, patterns?.plain ?? null, judge, calls))
      yield { hits, progress: { ...progress } };
  }
  const { bytesTotal: bytesDone, filesTotal: filesDone } = progressOf(share);
  yield { hits: [], progress: { ...progress, bytesDone, filesDone } };
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

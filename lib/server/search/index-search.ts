import { formatRecordId, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import type { ChunkIndex } from "./chunk-index";
import { plainPattern } from "./find-in-text";
import { MAX_RANKED_CHUNKS, MAX_RANKED_HITS, rankHits } from "./rank-hits";
import { type LocatedText, repeatedLines, type SearchSource, waitingLines } from "./sources";
import { StepPace } from "./step-pace";
import type { TextMatcher } from "./text-matcher";

/** What the index is searched for. Without required terms every text is matched. */
type IndexQuery = {
  requiredTerms: readonly string[] | null;
  matcher: TextMatcher;
  chunks: ChunkIndex | null;
  /** The calls of a session, which are looked up when a text needs them. */
  callsOf: (source: SearchSource) => () => CallLookup | null;
};

/** A search of the conversation texts of the index. */
export class IndexSearch {
  /** Sessions that the index could not answer for. */
  readonly unindexed = new Set<SessionId>();
  readonly #query: IndexQuery;
  readonly #pattern: RegExp | null;

  constructor(query: IndexQuery) {
    this.#query = query;
    this.#pattern = query.requiredTerms && plainPattern(query.requiredTerms);
  }

  /** The hits in these sessions in batches, the best hits of each first; steps without any where it takes long. */
  *hits(sources: readonly SearchSource[]): Generator<SearchHit[]> {
    const { chunks, requiredTerms } = this.#query;
    let found: SearchHit[] = [];
    let read = 0;
    const pace = new StepPace();
    for (const source of sources) {
      if (source.indexed.size === 0) continue;
      const candidates = chunks?.candidates(source.files[0]?.path ?? "", requiredTerms) ?? null;
      if (candidates === null) {
        this.unindexed.add(source.id);
        continue;
      }
      const before = found.length;
      const skipped = new Set([...repeatedLines(source), ...waitingLines(source)]);
      read += candidates.length;
      for (const id of candidates) {
        if (pace.isOver()) yield [];
        const hits = this.#hitsInChunk(source, id, skipped);
        if (hits === null) {
          // The whole session is read from its logs instead, so its hits so far are dropped.
          found.length = before;
          this.unindexed.add(source.id);
          break;
        }
        found.push(...hits);
      }
      // Without words there is nothing to rank: hits are shown as soon as a session has been searched, the newest first.
      if (found.length >= MAX_RANKED_HITS || read >= MAX_RANKED_CHUNKS || requiredTerms === null) {
        yield rankHits(found);
        found = [];
        read = 0;
      }
    }
    if (found.length > 0) yield rankHits(found);
  }

  /**
   * Null if the chunk cannot be read.
   * @param skipped lines that are not searched
   */
  #hitsInChunk(source: SearchSource, id: number, skipped: ReadonlySet<RecordId>): SearchHit[] | null {
    const { chunks, matcher, callsOf } = this.#query;
    const pattern = this.#pattern;
    const chunk = chunks?.read(id) ?? null;
    if (chunk === null) return null;
    const calls = callsOf(source);
    const hits: SearchHit[] = [];
    const bytes = pattern ? chunk.texts.toString("latin1") : "";
    if (pattern) pattern.lastIndex = 0;
    let next = pattern ? nextFind(pattern, bytes) : 0;
    if (next === -1) return hits;
    for (const { from, to, ...location } of chunk.places()) {
      if (next === -1) break;
      if (pattern && next >= to) continue;
      // Indexed since the sessions were listed: reading the rest of the log finds it.
      if (location.offset >= (source.indexed.get(location.file) ?? 0)) continue;
      const agentId = source.files.find(({ key }) => key === location.file)?.agentId ?? null;
      const isSkipped = skipped.size > 0 && skipped.has(formatRecordId(location.file, location.offset));
      const text = chunk.texts.toString("utf8", from, to);
      const hit = isSkipped ? null : matcher.match(source, { agentId, text, ...location }, calls);
      if (hit) hits.push(hit);
      if (!pattern) continue;
      pattern.lastIndex = to;
      next = nextFind(pattern, bytes);
    }
    return hits;
  }
}

function nextFind(pattern: RegExp, bytes: string): number {
  return pattern.exec(bytes)?.index ?? -1;
}

/** Hits in titles and folders, which the library keeps in memory: after steps without any all of them. */
export function* titleHits(sources: readonly SearchSource[], matcher: TextMatcher): Generator<SearchHit[]> {
  const hits: SearchHit[] = [];
  const pace = new StepPace();
  for (const source of sources) {
    if (pace.isOver()) yield [];
    const atMs = source.summary.lastActiveAtMs;
    const location: Omit<LocatedText, "text"> = {
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
    const found = texts.map((text) => matcher.match(source, { text, ...location }, () => null));
    const hit = found.find((one) => one !== null);
    if (hit && hit.ranges.length > 0) hits.push(hit);
  }
  yield rankHits(hits);
}

import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import type { ChunkIndex } from "./chunk-index";
import { plainPattern } from "./find-in-text";
import { RANK_CHUNKS, RANK_HITS, rankHits } from "./rank-hits";
import type { PlacedText, SearchSource } from "./sources";
import type { TextMatcher } from "./text-matcher";

/**
 * What the index holds of the conversation, in batches, the best hits of each first. Sessions that it cannot tell of
 * are added to `unindexed`. Without needles every text of it is judged.
 */
export function* indexedHits(
  sources: readonly SearchSource[],
  needles: readonly string[] | null,
  judge: TextMatcher,
  chunks: ChunkIndex | null,
  callsOf: (source: SearchSource) => () => CallLookup | null,
  unindexed: Set<SessionId>,
): Generator<SearchHit[]> {
  let found: SearchHit[] = [];
  let read = 0;
  const pattern = needles && plainPattern(needles);
  for (const source of sources) {
    if (source.indexed.size === 0) continue;
    const candidates = chunks?.candidates(source.files[0]?.path ?? "", needles) ?? null;
    if (candidates === null) {
      unindexed.add(source.id);
      continue;
    }
    const before = found.length;
    read += candidates.length;
    for (const id of candidates) {
      const hits = chunkHits(source, chunks?.read(id) ?? null, pattern, judge, callsOf(source));
      if (hits === null) {
        // All of the session is read instead, so what was found of it must not come twice.
        found.length = before;
        unindexed.add(source.id);
        break;
      }
      found.push(...hits);
    }
    if (found.length >= RANK_HITS || read >= RANK_CHUNKS) {
      yield rankHits(found);
      found = [];
      read = 0;
    }
  }
  if (found.length > 0) yield rankHits(found);
}

/** Null where the chunk cannot be read. */
function chunkHits(
  source: SearchSource,
  chunk: ReturnType<ChunkIndex["read"]>,
  pattern: RegExp | null,
  judge: TextMatcher,
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

/** Hits in titles and folders, which the library knows by heart. */
export function titleHits(sources: readonly SearchSource[], judge: TextMatcher): SearchHit[] {
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

import type { SearchHit } from "@/lib/wire/search";
import { rankHits } from "./rank-hits";
import type { SearchSource } from "./search-source";
import type { PlacedText, TextJudge } from "./text-judge";

/** Hits in titles and folders, which the library knows by heart. */
export function titleHits(sources: readonly SearchSource[], judge: TextJudge): SearchHit[] {
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

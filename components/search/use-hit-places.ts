import { useQueries } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { HitPlace, SearchHit } from "@/lib/wire/search";
import { hitKey } from "./search-groups";

/** Requests for rows that appear together are joined. */
const SOON_MS = 25;
/** The maximum in one request. */
const MAX_HITS = 100;

/** The positions of the hits on screen, by `hitKey`, as far as they are known. Each is requested once. */
export function useHitPlaces(hits: readonly SearchHit[]): ReadonlyMap<string, HitPlace> {
  const answers = useQueries({
    queries: hits.map((hit) => ({
      queryKey: ["hit-place", hitKey(hit)],
      queryFn: () => askTogether(hit),
      staleTime: 60_000,
      retry: false,
    })),
  });
  const places = new Map<string, HitPlace>();
  for (const [index, { data }] of answers.entries()) {
    const hit = hits[index];
    if (hit && data) places.set(hitKey(hit), data);
  }
  return places;
}

type Waiting = {
  hit: SearchHit;
  resolve: (place: HitPlace | null) => void;
  reject: (error: unknown) => void;
};

let waiting: Waiting[] = [];

function askTogether(hit: SearchHit): Promise<HitPlace | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void askAll(), SOON_MS);
    waiting.push({ hit, resolve, reject });
  });
}

async function askAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  for (let from = 0; from < asked.length; from += MAX_HITS) {
    const part = asked.slice(from, from + MAX_HITS);
    try {
      const { places } = await api.hitPlaces(part.map(({ hit }) => hit));
      for (const [index, { resolve }] of part.entries()) resolve(places[index] ?? null);
    } catch (error) {
      for (const { reject } of part) reject(error);
    }
  }
}

import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { parsePermalink } from "@/lib/client/address/session-url";
import { formatRowKey } from "@/lib/wire/ids";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { findPlace } from "./found-hits";
import type { HitTarget } from "./row-marks";
import { useFoundPlace } from "./use-found-place";

type HitSteps = {
  /** The hit that was gone to last, -1 for none. */
  index: number;
  /** Goes to the next hit or the one before; while there is none yet to go to or on from, as soon as there is. */
  step: (by: 1 | -1) => void;
  /** A step that waits for a hit is not made. */
  forget: () => void;
};

/** Enter right behind the last letter means the first hit of what was typed, which is on its way. */
type AwaitedStep = { by: 1 | -1; query: string };

/**
 * The way from hit to hit: a step writes its hit into the address as `at`, and the thread goes to what that points at
 * whenever it changes.
 * @param isOnItsWay whether more hits may come
 * @param reveal shows a hit when its row is drawn
 */
export function useHitSteps(
  query: string,
  { hits, isOnItsWay }: { hits: readonly SearchHit[]; isOnItsWay: boolean },
  reveal: (hit: HitTarget) => void,
): HitSteps {
  const { choice, setUrl } = useSessionPage();
  /** The field of the hit that was stepped to last: others may stand at its place. */
  const [field, setField] = useState<SearchField | null>(null);
  const { at, goAgain } = useFoundPlace(query, field, reveal);
  const place = useMemo(() => parsePermalink(at), [at]);
  const index = findPlace(hits, place, field);

  /** The hit that was stepped to last may be among those that are still to come. */
  const isLastToCome = field !== null && place !== null && index < 0;
  const waits = isOnItsWay && (hits.length === 0 || isLastToCome);
  const awaited = useRef<AwaitedStep | null>(null);
  const step = (by: 1 | -1) => {
    awaited.current = waits ? { by, query } : null;
    if (waits) return;
    const from = index < 0 ? (by === 1 ? -1 : hits.length) : index;
    const hit = hits[(from + by + hits.length) % hits.length];
    if (!hit) return;
    setField(hit.field);
    const next = formatRowKey(hit.recordId, hit.block);
    // The address says nothing new where the reader has left the only hit, or another text of the line is the next.
    if (next === at && hit.agentId === choice.agent) goAgain();
    else setUrl({ at: next, agent: hit.agentId });
  };
  const stepAwaited = useEffectEvent(() => {
    const press = awaited.current;
    awaited.current = null;
    if (press?.query === query && hits.length > 0) step(press.by);
  });
  useEffect(() => {
    if (!waits) stepAwaited();
  }, [hits, waits]);

  const forget = () => {
    awaited.current = null;
  };
  return { index, step, forget };
}

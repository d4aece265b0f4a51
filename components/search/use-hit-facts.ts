import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { api } from "@/lib/client/api";
import { isUnreachable, whenBack } from "@/lib/client/connection/when-back";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import { type HitState, MAX_STATED_HITS, type SearchHit } from "@/lib/wire/search";
import type { HitFacts } from "./search-facets";

/** While hits arrive, those of so long are asked for together. */
const PAUSE_MS = 400;

/** `complete`: the states of all hits are known, or cannot be had. */
export type KnownHitFacts = HitFacts & { complete: boolean };

/**
 * The facts by which facets narrow a search's hits. States take a session's graph, so they are asked for behind the
 * search: some hundreds of hits at a time, those of a session together.
 * @param growing more hits are on their way
 */
export function useHitFacts(
  hits: readonly SearchHit[],
  sessions: ReadonlyMap<SessionId, Pick<SessionSummary, "gitBranch">>,
  growing: boolean,
): KnownHitFacts {
  // A map of its own for each answer, so that what is counted with it is counted again.
  const [known, setKnown] = useState({ states: new WeakMap<SearchHit, readonly HitState[]>() });
  /** The hits for which the server had no answer. */
  const [refused, setRefused] = useState<readonly SearchHit[] | null>(null);
  const latest = useRef(hits);
  useEffect(() => {
    latest.current = hits;
  }, [hits]);
  const isMissing = useMemo(() => hits.some((hit) => !known.states.has(hit)), [hits, known]);
  const isAsked = isMissing && refused !== hits;
  const pauseMs = useEffectEvent(() => (growing ? PAUSE_MS : 0));

  useEffect(() => {
    if (!isAsked) return;
    let isLeft = false;
    let stopWaiting = () => undefined as void;
    const ask = async () => {
      const asked = nextHits(latest.current, known.states);
      const of = latest.current;
      try {
        const { states } = await api.hitStates(asked);
        for (const [nth, hit] of asked.entries()) known.states.set(hit, states[nth] ?? []);
        if (!isLeft) setKnown({ states: known.states });
      } catch (error) {
        if (isLeft) return;
        if (isUnreachable(error)) stopWaiting = whenBack(() => void ask());
        else setRefused(of);
      }
    };
    const timer = setTimeout(() => void ask(), pauseMs());
    return () => {
      isLeft = true;
      clearTimeout(timer);
      stopWaiting();
    };
    // Once more where hits have come behind those that were refused.
  }, [isAsked, known, refused]);

  return useMemo(
    () => ({
      statesOf: (hit) => known.states.get(hit) ?? null,
      branchOf: (session) => sessions.get(session)?.gitBranch ?? null,
      complete: !isAsked,
    }),
    [known, sessions, isAsked],
  );
}

/** Hits whose states are not known, whole sessions first: the server reads a session's graph for each request. */
function nextHits(hits: readonly SearchHit[], known: WeakMap<SearchHit, readonly HitState[]>): SearchHit[] {
  const bySession = new Map<SessionId, SearchHit[]>();
  for (const hit of hits) {
    const own = bySession.get(hit.sessionId) ?? [];
    // The first hit gives a session its place, also when that is known already.
    bySession.set(hit.sessionId, own);
    if (!known.has(hit)) own.push(hit);
  }
  return [...bySession.values()].flat().slice(0, MAX_STATED_HITS);
}

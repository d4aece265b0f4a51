import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import type { CameraStore } from "./camera-store";
import { visibleTurns } from "./draw-graph";
import type { OpenGraph } from "./use-graph";

const STEP_TURNS = 40;
const MOST_TURNS = 160;
const SETTLED_MS = 150;

/** The first words of the prompts in view, once the picture has come to rest. */
export function useTurnPrompts(
  { layout, model }: OpenGraph,
  store: CameraStore,
): ReadonlyMap<number, string> {
  const { sessionId } = useThreadActions();
  const [range, setRange] = useState<{ from: number; count: number } | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      const turns =
        store.size.width > 0 ? visibleTurns({ layout, camera: store.camera, size: store.size }) : null;
      if (!turns || turns[1] - turns[0] > MOST_TURNS) return;
      const from = Math.floor(Math.max(0, turns[0] - 1) / STEP_TURNS) * STEP_TURNS;
      const count = Math.ceil((turns[1] - from + 1) / STEP_TURNS) * STEP_TURNS;
      setRange((old) => (old?.from === from && old.count === count ? old : { from, count }));
    };
    const settle = () => {
      clearTimeout(timer);
      timer = window.setTimeout(look, SETTLED_MS);
    };
    settle();
    const unsubscribe = store.subscribe(settle);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [layout, store]);
  // A line that is written changes no prompt; another turn does.
  const lastTurn = model.items[(model.lines[0]?.to ?? 0) - 1]?.turn ?? 0;
  const query = useQuery({
    queryKey: ["graph-prompts", sessionId, lastTurn, range],
    queryFn: ({ signal }) => api.outline(sessionId, { ...range, detail: "prompts" }, { signal }),
    enabled: range !== null,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  return useMemo(() => new Map(query.data?.turns.map(({ turn, prompt }) => [turn, prompt])), [query.data]);
}

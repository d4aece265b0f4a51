import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import { type GraphLayout, layOutGraph } from "@/lib/client/graph-layout";
import { type GraphItem, type GraphModel, readGraph, readSegment } from "@/lib/client/graph-model";
import { withOpened } from "@/lib/client/graph-open";
import { lanesBehind } from "@/lib/client/graph-spine";
import type { SessionId } from "@/lib/wire/ids";

export type OpenGraph = { model: GraphModel; layout: GraphLayout; behind: Uint8Array };

export type GraphState = {
  graph: OpenGraph | null;
  error: Error | null;
  retry: () => void;
  /** Opens what an item holds in its place; answers its first key, `null` if it holds nothing more. */
  open: (item: GraphItem) => Promise<string | null>;
  /** Folds the nearest item that this one was opened from; answers its key. */
  fold: (item: GraphItem) => string | null;
};

/** A session's graph, laid out with the items that have been opened; asked for anew when the session changes. */
export function useGraph(sessionId: SessionId, revision: number | null): GraphState {
  const client = useQueryClient();
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly GraphItem[]>>(new Map());
  const query = useQuery({
    queryKey: ["graph", sessionId, revision],
    queryFn: async ({ signal }) => readGraph(await api.graph(sessionId, { signal })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  const graph = useMemo(() => {
    if (!query.data) return null;
    const model = withOpened(query.data, opened);
    return { model, layout: layOutGraph(model), behind: lanesBehind(model) };
  }, [query.data, opened]);

  const open = useCallback(
    async (item: GraphItem) => {
      if (item.kind === "row" || item.kind === "turn" || item.kind === "compaction") return null;
      try {
        const segment = await client.fetchQuery({
          queryKey: ["graph-segment", sessionId, item.key, revision],
          queryFn: () => api.graphSegment(sessionId, item.id, item.holds),
        });
        const held = readSegment(segment, item);
        setOpened((old) => new Map(old).set(item.key, held));
        return held[0]?.key ?? null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.message, "err");
        return null;
      }
    },
    [client, sessionId, revision],
  );
  const fold = useCallback(({ key }: GraphItem) => {
    const from = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    if (!from) return null;
    setOpened((old) => new Map([...old].filter(([one]) => one !== from && !one.startsWith(`${from}/`))));
    return from;
  }, []);
  return { graph, error: query.error, retry: () => void query.refetch(), open, fold };
}

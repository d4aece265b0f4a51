import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { useLiveRefetch } from "@/components/thread/use-live-refetch";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import { type GraphItem } from "./graph-item";
import { type GraphLayout, layOutGraph } from "./graph-layout";
import { type GraphModel, readGraph } from "./graph-model";
import { withOpened } from "./graph-open";
import { lanesBehind } from "./graph-spine";
import { useOpenedItems } from "./use-opened-items";

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
export function useGraph(sessionId: SessionId, windows: ThreadWindows<unknown> | null): GraphState {
  const { data, error, refetch } = useQuery({
    queryKey: ["graph", sessionId],
    queryFn: async ({ signal }) => readGraph(await api.graph(sessionId, { signal })),
    gcTime: 30_000,
    // What was seen when it was last looked at is shown, and renewed.
    staleTime: 0,
    structuralSharing: false,
  });
  useLiveRefetch(windows, refetch);
  const { opened, open, fold } = useOpenedItems(sessionId, data ?? null);
  const graph = useMemo(() => {
    if (!data) return null;
    const model = withOpened(data, opened);
    return { model, layout: layOutGraph(model), behind: lanesBehind(model) };
  }, [data, opened]);
  return { graph, error, retry: () => void refetch(), open, fold };
}

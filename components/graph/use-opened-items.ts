import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import type { SessionId } from "@/lib/wire/ids";
import type { GraphItem } from "./graph-item";
import { readSegment } from "./graph-items";
import type { GraphModel } from "./graph-model";
import type { Opened } from "./graph-open";

/** The items of a graph that have been opened, with what they hold; one that has grown is asked for again. */
export function useOpenedItems(sessionId: SessionId, model: GraphModel | null) {
  const [opened, setOpened] = useState<Opened>(new Map());
  const newest = useRef(opened);
  newest.current = opened;

  const load = useCallback(
    async (item: GraphItem) => {
      const held = readSegment(await api.graphSegment(sessionId, item.id, item.holds), item);
      setOpened((old) => new Map(old).set(item.key, { rows: item.rows, items: held }));
      return held[0]?.key ?? null;
    },
    [sessionId],
  );
  useEffect(() => {
    if (!model || newest.current.size === 0) return;
    const shown = [...model.items, ...[...newest.current.values()].flatMap(({ items }) => items)];
    for (const item of shown) {
      const known = newest.current.get(item.key);
      // What it held stays, should it be gone in this moment: the next change asks again.
      if (known && known.rows !== item.rows) void load(item).catch(ignoreApiError);
    }
  }, [model, load]);

  const open = useCallback(
    async (item: GraphItem) => {
      if (item.kind === "row" || item.kind === "turn" || item.kind === "compaction") return null;
      try {
        return await load(item);
      } catch (error) {
        ignoreApiError(error);
        toast(error instanceof ApiError ? error.message : "", "err");
        return null;
      }
    },
    [load],
  );
  const fold = useCallback(({ key }: GraphItem) => {
    const from = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    if (!from) return null;
    setOpened((old) => new Map([...old].filter(([one]) => one !== from && !one.startsWith(`${from}/`))));
    return from;
  }, []);
  return { opened, open, fold };
}

function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { useLiveRefetch } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { addTo } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import { type GraphLayout, layOutGraph } from "./graph-layout";
import { type GraphItem, type GraphModel, lineOfItems, readGraph, readSegment } from "./graph-model";

/** A graph with its layout. `behind`: the lane whose colour a branch has after each item. */
export type OpenGraph = { model: GraphModel; layout: GraphLayout; behind: Uint8Array };

export type GraphState = {
  graph: OpenGraph | null;
  error: Error | null;
  retry: () => void;
  /** Replaces an item with its contents; resolves to the first one's key, `null` if it can't be opened. */
  open: (item: GraphItem) => Promise<string | null>;
  /** Closes the innermost group that this item was opened from; returns the group's key. */
  fold: (item: GraphItem) => string | null;
};

/** A session's graph with its opened items, laid out. Refetched when the session changes. */
export function useGraph(sessionId: SessionId, windows: ThreadWindows<unknown> | null): GraphState {
  const { data, error, refetch } = useQuery({
    queryKey: ["graph", sessionId],
    queryFn: async ({ signal }) => readGraph(await api.graph(sessionId, { signal })),
    gcTime: 30_000,
    // The cached graph is shown at once and refetched.
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

/** The opened items of a graph and their contents, which are fetched again when an opened item has grown. */
function useOpenedItems(sessionId: SessionId, model: GraphModel | null) {
  const [opened, setOpened] = useState<Opened>(new Map());
  const newest = useRef(opened);
  newest.current = opened;

  const read = useCallback(
    async (item: GraphItem) => readSegment(await api.graphSegment(sessionId, item.id, item.holds), item),
    [sessionId],
  );
  useEffect(() => {
    if (!model || newest.current.size === 0) return;
    // After a failure the old contents stay; the next change tries again.
    for (const item of outdatedItems(model, newest.current))
      read(item).then((held) => setOpened((old) => withRenewed(old, item, held)), ignoreApiError);
  }, [model, read]);

  const open = useCallback(
    async (item: GraphItem) => {
      if (item.kind === "row" || item.kind === "turn" || item.kind === "compaction") return null;
      try {
        const held = await read(item);
        setOpened((old) => new Map(old).set(item.key, { rows: item.rows, items: held }));
        return held[0]?.key ?? null;
      } catch (error) {
        ignoreApiError(error);
        toast(error instanceof ApiError ? error.words : "", "err");
        return null;
      }
    },
    [read],
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

/** Contents of opened items by key, and the item's row count when they were fetched. */
export type Opened = ReadonlyMap<string, { rows: number; items: readonly GraphItem[] }>;

/**
 * With the contents of an opened item as they were read again. It may have been closed meanwhile, or read once more when
 * it had grown further: then nothing changes.
 */
export function withRenewed(opened: Opened, { key, rows }: GraphItem, items: readonly GraphItem[]): Opened {
  const known = opened.get(key);
  return !known || known.rows > rows ? opened : new Map(opened).set(key, { rows, items });
}

/** The opened items that have grown since their contents were fetched, or in which a call had no result yet. */
export function outdatedItems(model: GraphModel, opened: Opened): GraphItem[] {
  const shown = [...model.items, ...[...opened.values()].flatMap(({ items }) => items)];
  return shown.filter(({ key, rows }) => {
    const known = opened.get(key);
    return known && (known.rows !== rows || known.items.some(({ mark }) => mark === "no-result"));
  });
}

/** The graph with opened items replaced by their contents, nested ones included. */
export function withOpened(model: GraphModel, opened: Opened): GraphModel {
  if (opened.size === 0) return model;
  const items: GraphItem[] = [];
  /** Old index → first and last new index. */
  const first = new Int32Array(model.items.length);
  const last = new Int32Array(model.items.length);
  const push = (item: GraphItem) => {
    const held = opened.get(item.key)?.items;
    if (!held || held.length === 0) items.push(item);
    else for (const inner of held) push(inner);
  };
  for (const [index, item] of model.items.entries()) {
    first[index] = items.length;
    push(item);
    last[index] = items.length - 1;
  }
  const lines = model.lines.map((line) => {
    const isAgent = line.agent !== null && line.agent !== model.lines[line.parent]?.agent;
    const mapped = (index: number, of: Int32Array) => (index === -1 ? -1 : (of[index] ?? -1));
    return {
      ...line,
      from: first[line.from] ?? items.length,
      to: line.to > line.from ? (last[line.to - 1] ?? 0) + 1 : (first[line.from] ?? items.length),
      leaves: mapped(line.leaves, isAgent ? first : last),
      returns: mapped(line.returns, last),
    };
  });
  return { ...model, items, lines, lineOf: lineOfItems(lines, items.length) };
}

/**
 * The colour of a line at and after each of its items: its own until a branch leaves. From there on it is one branch
 * among several, and gets the lowest number that the branches leaving there don't use.
 */
export function lanesBehind({ items, lines }: GraphModel): Uint8Array {
  const leaving = new Map<number, number[]>();
  for (const { agent, parent, leaves, lane } of lines) {
    if (leaves === -1 || (agent !== null && agent !== lines[parent]?.agent)) continue;
    addTo(leaving, leaves, lane);
  }
  const behind = new Uint8Array(items.length);
  for (const { from, to, lane } of lines) {
    let own = lane;
    for (let item = from; item < to; item++) {
      const others = leaving.get(item);
      if (others) {
        own = 1;
        while (others.includes(own)) own++;
      }
      behind[item] = own;
    }
  }
  return behind;
}

/** The colour of a line at an item: that of the branch which leads there. @param behind of `lanesBehind` */
export function laneAt({ lines, lineOf }: GraphModel, behind: Uint8Array, item: number): number {
  const own = lines[lineOf[item] ?? 0];
  return own && item > own.from ? (behind[item - 1] ?? 0) : (own?.lane ?? 0);
}

/** A continuation of a fork: its line, its colour, and its items `from … to`, of which `item` is the first. */
export type Continuation = { line: number; item: number; lane: number; from: number; to: number };

/**
 * The continuations of the fork at an item, or right before it, in the order of their colours; none where nothing forks.
 */
export function continuationsFrom(
  { model, behind }: Pick<OpenGraph, "model" | "behind">,
  item: number,
): Continuation[] {
  const { lines, lineOf } = model;
  const isBranch = ({ agent, parent }: GraphModel["lines"][number]) =>
    agent === null || agent === lines[parent]?.agent;
  const own = lines[lineOf[item] ?? 0];
  if (!own) return [];
  const leaving = (fork: number) =>
    lines.flatMap((line, index) => (line.leaves === fork && isBranch(line) ? [{ line, index }] : []));
  const isFirst = item === own.from;
  const before = isFirst ? (isBranch(own) ? own.leaves : -1) : item - 1;
  const fork = leaving(item).length > 0 ? item : before;
  const branches = fork === -1 ? [] : leaving(fork);
  if (branches.length === 0) return [];
  const stem = lineOf[fork] ?? 0;
  const { to = 0 } = lines[stem] ?? {};
  const continuations = branches.map(
    ({ line, index }): Continuation => ({
      line: index,
      item: line.from,
      lane: line.lane,
      from: line.from,
      to: line.to,
    }),
  );
  if (fork + 1 < to)
    continuations.push({ line: stem, item: fork + 1, lane: behind[fork] ?? 0, from: fork + 1, to });
  return continuations.sort((one, other) => one.lane - other.lane);
}

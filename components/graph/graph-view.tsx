import { Minus, Plus } from "lucide-react";
import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { Button, IconButton } from "@/components/ui/button";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { FailedState, SkeletonRows } from "@/components/ui/states";
import { formatPlural } from "@/lib/format/format";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { CameraStore, fitCamera, panCamera, zoomCamera } from "./camera";
import { GraphCanvas } from "./graph-canvas";
import { itemOfRecord } from "./graph-find";
import { GraphOverview } from "./graph-overview";
import { GraphPanel } from "./graph-panel";
import { GraphSheet } from "./graph-sheet";
import { GraphTree, itemFacts, itemTitle } from "./graph-tree";
import { type GraphState, type OpenGraph, useGraph } from "./use-graph";
import { moveInGraph, useGraphKeys } from "./use-graph-keys";
import type { GraphSelection } from "./use-graph-view";

const PAN_PX = 120;

/** The whole session as a graph, in place of its thread. */
export function GraphView({
  sessionId,
  windows,
  at,
  onSelect,
  onGo,
  paper: Paper,
}: {
  sessionId: SessionId;
  /** The thread's windows: the graph is refetched when rows arrive. */
  windows: ThreadWindows<Row> | null;
  /** The record that is selected in the thread. */
  at: RecordId | null;
  onSelect: (selection: GraphSelection) => void;
  onGo: (selection: GraphSelection) => void;
  /** While the graph is printed, the sheet for its picture. */
  paper: ComponentType<{ children: ReactNode }> | null;
}) {
  const state = useGraph(sessionId, windows);
  const { graph, error, retry } = state;
  if (graph)
    return <Graph state={state} graph={graph} at={at} onSelect={onSelect} onGo={onGo} paper={Paper} />;
  if (error) return <FailedState title="Couldn’t load the graph" error={error} onRetry={retry} />;
  return <SkeletonRows count={12} label="Loading the graph" />;
}

function Graph({
  state,
  graph,
  at,
  onSelect,
  onGo,
  paper: Paper,
}: Pick<Parameters<typeof GraphView>[0], "at" | "onSelect" | "onGo" | "paper"> & {
  state: GraphState;
  graph: OpenGraph;
}) {
  const { layout } = graph;
  const [store] = useState(() => new CameraStore());
  const tree = useRef<HTMLDivElement>(null);
  const { selected, select, toggle, go } = useReaderInGraph(state, graph.model, { at, onSelect, onGo });
  useEffect(() => tree.current?.focus({ preventScroll: true }), []);

  const zoom = (by: number) => {
    const { camera, size } = store;
    store.set(zoomCamera(camera, by, { x: size.width / 2, y: size.height / 2 }, layout, size));
  };
  const fit = () => store.set(fitCamera(layout, store.size));
  useGraphKeys({
    move: (to) => select(moveInGraph(layout, selected, to)),
    pan: (dx, dy) => store.set(panCamera(store.camera, dx * PAN_PX, dy * PAN_PX, layout, store.size)),
    toggle: () => void toggle(selected),
    go: () => go(selected),
    zoom,
    fit,
  });
  return (
    <section
      aria-label="Graph"
      data-graph
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)_288px] max-md:grid-cols-1"
    >
      <div className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto_auto]">
        <GraphOverview graph={graph} store={store} />
        <div className="relative min-h-0 overflow-hidden">
          <GraphTree ref={tree} graph={graph} selected={selected} />
          <GraphCanvas
            graph={graph}
            store={store}
            selected={selected}
            onSelect={(item) => {
              select(item);
              tree.current?.focus({ preventScroll: true });
            }}
            onOpen={(item) => void toggle(item)}
          />
        </div>
        <SelectedBar
          graph={graph}
          selected={selected}
          onGo={() => go(selected)}
          onOpen={() => void toggle(selected)}
        />
        <GraphBar graph={graph} store={store} onZoom={zoom} onFit={fit} />
      </div>
      <GraphPanel
        graph={graph}
        selected={selected}
        onSelect={select}
        onGo={() => go(selected)}
        onOpen={() => void toggle(selected)}
      />
      {Paper && (
        <Paper>
          <GraphSheet graph={graph} selected={selected}>
            <Legend />
          </GraphSheet>
        </Paper>
      )}
    </section>
  );
}

/** The selected item, and what takes the reader to another one, into or out of it, or from it to the thread. */
function useReaderInGraph(
  state: GraphState,
  model: OpenGraph["model"],
  { at, onSelect, onGo }: Pick<Parameters<typeof GraphView>[0], "at" | "onSelect" | "onGo">,
) {
  const [selected, setKey] = useSelectedItem(model, at);
  const selectionOf = (index: number): GraphSelection | null => {
    const item = model.items[index];
    const line = model.lineOf[index] ?? 0;
    const own = model.lines[line];
    return item && own ? { recordId: item.id, line: own, isMain: line === 0 } : null;
  };
  return {
    selected,
    select: (index: number) => {
      const item = model.items[index];
      if (!item) return;
      setKey(item.key);
      const selection = selectionOf(index);
      if (selection) onSelect(selection);
    },
    /** Opens a run or a group, or folds what an item is a part of. */
    toggle: async (index: number) => {
      const item = model.items[index];
      if (!item) return;
      const next = opens(item) ? await state.open(item) : state.fold(item);
      if (next !== null) setKey(next);
    },
    /** Leads to an item's place in the thread. */
    go: (index: number) => {
      const selection = selectionOf(index);
      if (selection) onGo(selection);
    },
  };
}

/** Whether an item stands for several, which it can be replaced with. */
function opens({ kind }: OpenGraph["model"]["items"][number]): boolean {
  return kind === "run" || kind === "group";
}

/**
 * The selected item: by its key, which survives a new layout, else that of the record in the address, else the last one
 * of the main line.
 * @returns its index, and what selects another by its key
 */
function useSelectedItem(
  model: OpenGraph["model"],
  at: RecordId | null,
): [index: number, select: (key: string) => void] {
  const lastMain = Math.max(0, (model.lines[0]?.to ?? 1) - 1);
  const [key, setKey] = useState<string | null>(null);
  const selected = useMemo(() => {
    const kept = key === null ? -1 : model.items.findIndex((item) => item.key === key);
    if (kept !== -1) return kept;
    return (at === null ? null : itemOfRecord(model, at)) ?? lastMain;
  }, [model, key, at, lastMain]);
  return [selected, setKey];
}

/** The bar below the canvas: legend, zoom, and how much is left out. */
function GraphBar({
  graph,
  store,
  onZoom,
  onFit,
}: {
  graph: OpenGraph;
  store: CameraStore;
  onZoom: (by: number) => void;
  onFit: () => void;
}) {
  const percent = useSyncExternalStore(
    store.subscribe,
    () => Math.round(store.camera.scale * 100),
    () => 100,
  );
  const { linesLeftOut, items } = graph.model;
  return (
    <div
      ref={bottomBar}
      className="flex h-8 items-center gap-4 overflow-hidden border-t border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2"
    >
      <Legend />
      <span className="flex-1" />
      <span className="text-fg-3 tabular-nums max-md:hidden">
        {formatPlural(items.length, "node")}
        {linesLeftOut > 0 && `, ${formatPlural(linesLeftOut, "more line")} left out`}
      </span>
      <span className="flex flex-none items-center gap-1">
        <IconButton icon={Minus} small label="Smaller" keys="−" onClick={() => onZoom(1 / 1.3)} />
        <span className="w-11 text-center tabular-nums">{percent} %</span>
        <IconButton icon={Plus} small label="Larger" keys="+" onClick={() => onZoom(1.3)} />
        <Button kind="quiet" title="Fit all (0)" onClick={onFit}>
          Fit
        </Button>
      </span>
    </div>
  );
}

const SHAPES: [name: string, className: string, path: string][] = [
  ["turn", "fill-fg", "M2 3h10v8H2z"],
  ["folded rows", "fill-none stroke-fg-2", "M1.5 4h11v6h-11zM5 5.5v3M9 5.5v3"],
  ["edit", "fill-edit", "M7 2l5 5-5 5-5-5z"],
  ["error", "fill-none stroke-err [stroke-width:1.8]", "M4 4l6 6M10 4l-6 6"],
  ["denied", "fill-none stroke-warn", "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM4.5 4.5l5 5"],
  ["fork", "fill-none stroke-fg-2", "M7 2.5L11.5 7 7 11.5 2.5 7z"],
  ["compaction", "fill-none stroke-fg-2", "M5 2v10M9 2v10"],
  [
    "running",
    "fill-none stroke-run [stroke-width:1.5]",
    "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM7 6.2a.8 .8 0 1 1 0 1.6a.8 .8 0 1 1 0-1.6z",
  ],
];

function Legend() {
  return (
    // Entries that don't fit are dropped whole: they wrap into an invisible second line.
    <span
      aria-hidden="true"
      className="flex h-5 min-w-0 flex-wrap gap-x-4 overflow-hidden max-sm:hidden print:flex! print:h-auto"
    >
      {SHAPES.map(([name, className, path]) => (
        <span key={name} className="flex h-5 items-center gap-1.5">
          <svg viewBox="0 0 14 14" width="14" height="14" className={className}>
            <path d={path} />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

/** The selected item, if there is no room for the panel. */
function SelectedBar({
  graph,
  selected,
  onGo,
  onOpen,
}: {
  graph: OpenGraph;
  selected: number;
  onGo: () => void;
  onOpen: () => void;
}) {
  const item = graph.model.items[selected];
  if (!item) return null;
  return (
    <div
      ref={bottomBar}
      className="flex h-11 items-center gap-2 border-t border-line-2 bg-panel px-3 text-12 md:hidden"
    >
      <span className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{itemTitle(graph, selected)}</span>{" "}
        <span className="text-fg-2">{itemFacts(item).join(", ")}</span>
      </span>
      {(opens(item) || item.key.includes("/")) && (
        <Button className="h-9" onClick={onOpen}>
          {opens(item) ? "Expand" : "Fold"}
        </Button>
      )}
      <Button kind="primary" className="h-9" onClick={onGo}>
        Open
      </Button>
    </div>
  );
}

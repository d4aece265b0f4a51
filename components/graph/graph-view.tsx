import { useEffect, useMemo, useRef, useState } from "react";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { CameraStore } from "./camera-store";
import { GraphBar } from "./graph-bar";
import { fitCamera, panCamera, zoomCamera } from "./graph-camera";
import { GraphCanvas } from "./graph-canvas";
import { itemOfRecord } from "./graph-find";
import type { GraphLine } from "./graph-model";
import { moveFrom } from "./graph-moves";
import { GraphOverview } from "./graph-overview";
import { GraphPanel } from "./graph-panel";
import { GraphTree } from "./graph-tree";
import { SelectedBar } from "./selected-bar";
import { type GraphState, type OpenGraph, useGraph } from "./use-graph";
import { useGraphKeys } from "./use-graph-keys";

const PAN_PX = 120;

/** A place that the graph leads to: a record, and the branch or agent that it is on (`null`: the way that goes on). */
export type GraphPlace = { recordId: RecordId; line: GraphLine; isMain: boolean };

/** The whole session as a picture in place of its thread. */
export function GraphView({
  sessionId,
  windows,
  at,
  onSelect,
  onGo,
}: {
  sessionId: SessionId;
  /** Of the thread: the graph is renewed when its rows are. */
  windows: ThreadWindows<Row> | null;
  /** The record that is selected in the thread. */
  at: RecordId | null;
  onSelect: (place: GraphPlace) => void;
  onGo: (place: GraphPlace) => void;
}) {
  const state = useGraph(sessionId, windows);
  const { graph, error, retry } = state;
  if (graph) return <Graph state={state} graph={graph} at={at} onSelect={onSelect} onGo={onGo} />;
  if (error) return <ErrorState title="The graph can’t be shown" message={error.message} onRetry={retry} />;
  return <SkeletonRows count={12} label="Laying out the graph" />;
}

function Graph({
  state,
  graph,
  at,
  onSelect,
  onGo,
}: Pick<Parameters<typeof GraphView>[0], "at" | "onSelect" | "onGo"> & {
  state: GraphState;
  graph: OpenGraph;
}) {
  const { model, layout } = graph;
  const [store] = useState(() => new CameraStore());
  const tree = useRef<HTMLDivElement>(null);
  const lastMain = Math.max(0, (model.lines[0]?.to ?? 1) - 1);
  // By key, which outlives a new layout; the address has the record alone.
  const [key, setKey] = useState<string | null>(null);
  const selected = useMemo(() => {
    const kept = key === null ? -1 : model.items.findIndex((item) => item.key === key);
    if (kept !== -1) return kept;
    return (at === null ? null : itemOfRecord(model, at)) ?? lastMain;
  }, [model, key, at, lastMain]);
  useEffect(() => tree.current?.focus({ preventScroll: true }), []);

  const select = (index: number) => {
    const item = model.items[index];
    if (!item) return;
    setKey(item.key);
    tell(index, onSelect);
  };
  const toggle = async (index: number) => {
    const item = model.items[index];
    if (!item) return;
    const next = item.kind === "run" || item.kind === "group" ? await state.open(item) : state.fold(item);
    if (next !== null) setKey(next);
  };
  const tell = (index: number, told: (place: GraphPlace) => void) => {
    const item = model.items[index];
    const line = model.lineOf[index] ?? 0;
    const own = model.lines[line];
    if (item && own) told({ recordId: item.id, line: own, isMain: line === 0 });
  };
  const go = (index: number) => tell(index, onGo);
  const zoom = (by: number) => {
    const { camera, size } = store;
    store.set(zoomCamera(camera, by, { x: size.width / 2, y: size.height / 2 }, layout, size));
  };
  const fit = () => store.set(fitCamera(layout, store.size));
  useGraphKeys({
    move: (to) => select(moveFrom(layout, selected, to)),
    pan: (dx, dy) => store.set(panCamera(store.camera, dx * PAN_PX, dy * PAN_PX, layout, store.size)),
    toggle: () => void toggle(selected),
    go: () => go(selected),
    zoom,
    fit,
  });
  return (
    <div data-graph className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)_288px] max-md:grid-cols-1">
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
    </div>
  );
}

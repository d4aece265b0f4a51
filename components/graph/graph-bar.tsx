import { Minus, Plus } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { formatCount } from "@/lib/format/format-count";
import type { CameraStore } from "./camera-store";
import type { OpenGraph } from "./use-graph";

/** Under the picture: what its shapes mean, how near it is, how much it leaves out. */
export function GraphBar({
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
    <div className="flex h-8 items-center gap-4 overflow-hidden border-t border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2">
      <Legend />
      <span className="flex-1" />
      <span className="text-fg-3 tabular-nums max-md:hidden">
        {formatCount(items.length)} nodes
        {linesLeftOut > 0 && `, ${formatCount(linesLeftOut)} more lines left out`}
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
    // As with facts of a session: what has no room is dropped whole.
    <span aria-hidden="true" className="flex h-5 min-w-0 flex-wrap gap-x-4 overflow-hidden max-sm:hidden">
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

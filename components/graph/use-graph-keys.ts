import type { KeyCommand } from "@/lib/client/key-registry";
import { useKeys } from "@/lib/client/use-keys";
import type { GraphMove } from "./graph-moves";

const MOVES: readonly [keys: readonly string[], move: GraphMove, label: string, dx: number, dy: number][] = [
  [["ArrowLeft", "h"], "parent", "what came before", -1, 0],
  [["ArrowRight", "l"], "child", "what came next", 1, 0],
  [["ArrowUp", "k"], "above", "line above", 0, -1],
  [["ArrowDown", "j"], "below", "line below", 0, 1],
  [["Home"], "first", "start", 0, 0],
  [["End"], "last", "end", 0, 0],
];

/** The keys of the graph, while it is there. An arrow with shift moves the picture, not the selection. */
export function useGraphKeys({
  move,
  pan,
  toggle,
  go,
  zoom,
  fit,
}: {
  move: (to: GraphMove) => void;
  pan: (dx: number, dy: number) => void;
  toggle: () => void;
  go: () => void;
  zoom: (by: number) => void;
  fit: () => void;
}): void {
  useKeys("graph-view", [
    ...MOVES.map(
      ([keys, to, label, dx, dy]): KeyCommand => ({
        keys,
        label: dx === 0 && dy === 0 ? label : `${label} (with Shift: move the picture)`,
        group: "Move",
        run: ({ shiftKey }) => (shiftKey && (dx !== 0 || dy !== 0) ? pan(dx, dy) : move(to)),
      }),
    ),
    { keys: ["Enter"], label: "go to it in the thread", group: "Open", run: go },
    { keys: ["e"], label: "open or fold it", group: "Open", run: toggle },
    { keys: ["+", "="], label: "nearer", group: "Views and copies", run: () => zoom(1.3) },
    { keys: ["-"], label: "farther", group: "Views and copies", run: () => zoom(1 / 1.3) },
    { keys: ["0"], label: "all of it", group: "Views and copies", run: fit },
  ]);
}

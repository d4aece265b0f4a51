import { VisibleText } from "@/components/content/text/visible-text";
import { formatClock } from "@/lib/format/format-time";
import type { Size } from "./graph-camera";
import { itemFacts, itemTitle } from "./item-words";
import type { OpenGraph } from "./use-graph";

const WIDTH_PX = 240;

/** What an item is, beside the pointer. */
export function GraphHint({
  graph,
  item,
  x,
  y,
  size,
  prompts,
}: {
  graph: OpenGraph;
  item: number;
  x: number;
  y: number;
  size: Size;
  prompts: ReadonlyMap<number, string>;
}) {
  const one = graph.model.items[item];
  if (!one) return null;
  const onMain = graph.model.lineOf[item] === 0;
  const prompt = one.kind === "turn" && onMain ? prompts.get(one.turn) : undefined;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 rounded-2 border border-line-2 bg-raised px-3 py-2 text-12 shadow-overlay"
      style={{
        width: WIDTH_PX,
        left: Math.max(4, Math.min(x + 14, size.width - WIDTH_PX - 8)),
        top: Math.max(30, y - 74),
      }}
    >
      <p className="truncate font-semibold">
        {itemTitle(graph, item)}
        {prompt && (
          <span className="font-normal">
            {" "}
            <VisibleText text={prompt} />
          </span>
        )}
      </p>
      <p className="text-fg-2">
        {itemFacts(one).join(" · ") || "a prompt"}
        {one.atMs !== null && <span className="text-fg-3"> · {formatClock(one.atMs)}</span>}
      </p>
    </div>
  );
}

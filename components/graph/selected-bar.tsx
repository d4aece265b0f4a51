import { Button } from "@/components/ui/button";
import { itemFacts, itemTitle } from "./item-words";
import type { OpenGraph } from "./use-graph";

/** The selected item where there is no room for the panel. */
export function SelectedBar({
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
  const opens = item.kind === "run" || item.kind === "group";
  return (
    <div className="flex h-11 items-center gap-2 border-t border-line-2 bg-panel px-3 text-12 md:hidden">
      <span className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{itemTitle(graph, selected)}</span>{" "}
        <span className="text-fg-2">{itemFacts(item).join(", ")}</span>
      </span>
      {(opens || item.key.includes("/")) && (
        <Button className="h-9" onClick={onOpen}>
          {opens ? "Expand" : "Fold"}
        </Button>
      )}
      <Button kind="primary" className="h-9" onClick={onGo}>
        Open
      </Button>
    </div>
  );
}

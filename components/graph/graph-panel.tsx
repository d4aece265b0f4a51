import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { LaneShape } from "@/components/ui/lane-shape";
import { formatDuration } from "@/lib/format/format-duration";
import { formatClock } from "@/lib/format/format-time";
import type { GraphItem } from "./graph-item";
import { itemFacts, itemTitle, lineWords } from "./item-words";
import { PanelRows, useFirstRows } from "./panel-rows";
import type { OpenGraph } from "./use-graph";

const KEYS: [keys: string[], does: string][] = [
  [["←", "→"], "parent, child"],
  [["↑", "↓"], "sibling: agent, branch"],
  [["e"], "expand or fold"],
  [["+", "−", "0"], "zoom, fit all"],
  [["↵"], "open in the thread"],
  [["g"], "back to the thread"],
];

/** Beside the picture: the selected item, what leaves from it, and its first rows. */
export function GraphPanel({
  graph,
  selected,
  onSelect,
  onGo,
  onOpen,
}: {
  graph: OpenGraph;
  selected: number;
  onSelect: (item: number) => void;
  onGo: () => void;
  onOpen: () => void;
}) {
  const item = graph.model.items[selected];
  if (!item) return null;
  return (
    <ItemPanel
      graph={graph}
      selected={selected}
      item={item}
      onSelect={onSelect}
      onGo={onGo}
      onOpen={onOpen}
    />
  );
}

function ItemPanel({
  graph,
  selected,
  item,
  onSelect,
  onGo,
  onOpen,
}: Parameters<typeof GraphPanel>[0] & { item: GraphItem }) {
  const { model } = graph;
  const line = model.lineOf[selected] ?? 0;
  const rows = useFirstRows(item, model.lines[line] ?? null);
  const [first] = rows;
  const prompt = item.kind === "turn" && first?.kind === "turn" ? first.prompt.text : null;
  const facts = itemFacts({ ...item, tookS: null });
  const leaving = model.lines.flatMap((one, index) => (one.leaves === selected ? [{ one, index }] : []));
  const isInner = item.key.includes("/");
  return (
    <aside
      aria-label="Selected"
      className="flex flex-col overflow-y-auto border-l border-line-2 bg-panel text-12 max-md:hidden"
    >
      <div className="border-b border-line px-3 py-2.5">
        <h2 className="flex items-center gap-2 text-13 font-semibold">
          {prompt === null ? (
            <span className="truncate">{itemTitle(graph, selected)}</span>
          ) : (
            <>
              <span className="inline-flex h-[17px] min-w-6 flex-none justify-center rounded-1 bg-fg px-1 text-11 leading-[17px] text-bg tabular-nums">
                {item.turn}
              </span>
              <span className="truncate">
                <VisibleText text={prompt.slice(0, 120)} />
              </span>
            </>
          )}
        </h2>
        <dl className="mt-1.5 grid grid-cols-[64px_minmax(0,1fr)] gap-y-0.5">
          {item.atMs !== null && (
            <Fact name="Started">
              <span className="tabular-nums">
                {formatClock(item.atMs)}
                {item.tookS ? `, took ${formatDuration(item.tookS * 1000)}` : ""}
              </span>
            </Fact>
          )}
          {facts.length > 0 && <Fact name="Holds">{facts.join(", ")}</Fact>}
          <Fact name="On">
            <span className="flex items-center gap-1.5">
              <LaneShape lane={graph.behind[selected] ?? 0} />
              <span className="truncate">{lineWords(graph, line)}</span>
            </span>
          </Fact>
        </dl>
        <div className="mt-2.5 flex gap-2">
          <Button kind="primary" onClick={onGo}>
            {model.lines[line]?.agent ? "Open the agent" : "Open in thread"}
          </Button>
          {(item.kind === "run" || item.kind === "group" || isInner) && (
            <Button onClick={onOpen}>
              {item.kind === "run" || item.kind === "group" ? "Expand" : "Fold"}
            </Button>
          )}
        </div>
      </div>
      {leaving.length > 0 && (
        <section aria-label="From here" className="border-b border-line py-1.5">
          <h3 className="px-3 py-1 text-fg-2">
            From here <span className="text-fg-3 tabular-nums">{leaving.length}</span>
          </h3>
          {leaving.map(({ one, index }) => (
            <button
              key={index}
              type="button"
              className="flex h-row w-full items-center gap-2.5 px-3 text-left hover:bg-raised"
              onClick={() => onSelect(one.from)}
            >
              <LaneShape lane={one.lane} />
              <span className="min-w-0 flex-1 truncate">
                <VisibleText text={lineWords(graph, index)} />
              </span>
              <span className="text-fg-3 tabular-nums">{rowsOf(model.items.slice(one.from, one.to))}</span>
            </button>
          ))}
        </section>
      )}
      <PanelRows rows={rows} more={Math.max(0, item.rows + item.turns - rows.length)} />
      <section aria-label="Keys" className="border-t border-line px-3 py-2 text-fg-2">
        {KEYS.map(([keys, does]) => (
          <p key={does} className="flex h-[22px] items-center gap-1">
            <span className="flex w-[76px] gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </span>
            {does}
          </p>
        ))}
      </section>
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 text-fg">{children}</dd>
    </>
  );
}

function rowsOf(items: readonly GraphItem[]): number {
  return items.reduce((sum, { rows }) => sum + rows, 0);
}

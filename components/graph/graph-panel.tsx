import { useQuery } from "@tanstack/react-query";
import { VisibleText } from "@/components/thread/text/visible-text";
import { useThreadActions } from "@/components/thread/thread-context";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { LaneShape } from "@/components/ui/lane-shape";
import { api } from "@/lib/client/api";
import type { GraphItem } from "@/lib/client/graph-model";
import { formatClock } from "@/lib/text/format-time";
import type { Row } from "@/lib/wire/rows";
import { itemFacts, itemTitle, lineWords } from "./item-words";
import type { OpenGraph } from "./use-graph";

const SHOWN_ROWS = 12;
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
  const { model } = graph;
  const item = model.items[selected];
  const line = model.lineOf[selected] ?? 0;
  if (!item) return null;
  const leaving = model.lines.flatMap((one, index) => (one.leaves === selected ? [{ one, index }] : []));
  const isInner = item.key.includes("/");
  return (
    <aside
      aria-label="Selected"
      className="flex flex-col overflow-y-auto border-l border-line-2 bg-panel text-12 max-md:hidden"
    >
      <div className="border-b border-line px-3 py-2.5">
        <h2 className="truncate text-13 font-semibold">{itemTitle(graph, selected)}</h2>
        <p className="mt-1 text-fg-2">{itemFacts(item).join(", ")}</p>
        <p className="mt-0.5 flex items-center gap-1.5 text-fg-3">
          <LaneShape lane={graph.behind[selected] ?? 0} />
          <span className="truncate">{lineWords(graph, line)}</span>
          {item.atMs !== null && <span className="ml-auto tabular-nums">{formatClock(item.atMs)}</span>}
        </p>
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
      <FirstRows
        item={item}
        agent={model.lines[line]?.agent ?? null}
        branch={line === 0 ? null : (model.lines[line]?.branch ?? null)}
      />
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

function rowsOf(items: readonly GraphItem[]): number {
  return items.reduce((sum, { rows }) => sum + rows, 0);
}

/** The first rows from an item on, in a line each. */
function FirstRows({
  item,
  agent,
  branch,
}: Pick<Parameters<typeof api.rows>[1], "agent" | "branch"> & { item: GraphItem }) {
  const { sessionId } = useThreadActions();
  const query = useQuery({
    queryKey: ["graph-rows", sessionId, item.id, agent, branch],
    queryFn: ({ signal }) =>
      api.rows(
        sessionId,
        { around: item.id, agent, branch: agent ? null : branch, count: 2 * SHOWN_ROWS },
        { signal },
      ),
    gcTime: 30_000,
  });
  const rows = query.data?.rows ?? [];
  const first = Math.max(0, (query.data?.at ?? 0) - (query.data?.from ?? 0));
  return (
    <section aria-label="Rows" className="flex-1 py-1.5">
      <h3 className="px-3 py-1 text-fg-2">Rows</h3>
      {rows.slice(first, first + SHOWN_ROWS).map((row) => (
        <p key={row.key} className="flex h-[22px] items-center gap-2 px-3">
          <span className="w-[68px] flex-none truncate font-semibold">{nameOf(row)}</span>
          <span className="min-w-0 flex-1 truncate text-fg-2">
            <VisibleText text={wordsOf(row)} />
          </span>
          {row.kind === "tool" && row.state !== "ok" && (
            <span className="flex-none text-err">{row.result ?? row.state}</span>
          )}
        </p>
      ))}
    </section>
  );
}

function nameOf(row: Row): string {
  if (row.kind === "tool") return row.name;
  if (row.kind === "turn") return `Turn ${row.turn}`;
  if (row.kind === "event" || row.kind === "context") return "Note";
  return (
    {
      text: "Answer",
      thinking: "Thinking",
      compaction: "Compacted",
      fork: "Fork",
      "agent-return": "Returned",
    }[row.kind as string] ?? ""
  );
}

function wordsOf(row: Row): string {
  switch (row.kind) {
    case "turn":
      return row.prompt.text.slice(0, 120);
    case "tool":
      return row.subject;
    case "text":
    case "thinking":
    case "agent-return":
      return row.text.text.slice(0, 120);
    case "event":
    case "context":
      return [row.label, row.text.text.slice(0, 120)].filter(Boolean).join(": ");
    default:
      return "";
  }
}

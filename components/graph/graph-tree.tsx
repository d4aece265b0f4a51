import { type RefObject, useId } from "react";
import { formatClock, formatDuration, formatPlural } from "@/lib/format/format";
import { turnsOf } from "./draw-items";
import type { GraphItem } from "./graph-model";
import type { OpenGraph } from "./use-graph";

/** Items beside the selected one that are in the page: a reader steps through them, and they follow. */
const BESIDE = 12;

/**
 * The graph to those who do not see it, and what has the focus while its keys are pressed: a tree of lines and their items, of
 * which the part around the selected item is in the page.
 */
export function GraphTree({
  graph,
  selected,
  ref,
}: {
  graph: OpenGraph;
  selected: number;
  ref: RefObject<HTMLDivElement | null>;
}) {
  const id = useId();
  const { lines, lineOf, items } = graph.model;
  const ways = wayTo(graph, lineOf[selected] ?? 0);
  return (
    <div
      ref={ref}
      role="tree"
      aria-label="Graph of the session"
      tabIndex={0}
      aria-activedescendant={`${id}-${selected}`}
      // The selected item has the accent's frame: it is what the keys move.
      className="pointer-events-none absolute inset-0 z-2 outline-none!"
    >
      <div className="sr-only">
        {ways.flatMap((line, depth) => {
          const { from = 0, to = 0 } = lines[line] ?? {};
          const inner = ways[depth + 1];
          const at = inner === undefined ? selected : Math.max(from, lines[inner]?.leaves ?? from);
          const first = Math.max(from, at - BESIDE);
          const shown = Array.from({ length: Math.min(to, at + BESIDE + 1) - first }, (_, i) => first + i);
          return shown.map((index) => {
            const item = items[index];
            const opens = item && (item.kind === "run" || item.kind === "group");
            return (
              <div
                key={index}
                id={`${id}-${index}`}
                role="treeitem"
                tabIndex={-1}
                aria-level={depth + 1}
                aria-posinset={index - from + 1}
                aria-setsize={to - from}
                aria-selected={index === selected}
                aria-expanded={opens ? false : undefined}
              >
                {[
                  itemTitle(graph, index),
                  ...(item ? itemFacts(item) : []),
                  item?.atMs == null ? "" : formatClock(item.atMs),
                  formatLine(graph, line),
                ]
                  .filter(Boolean)
                  .join(", ")}
              </div>
            );
          });
        })}
      </div>
    </div>
  );
}

/** The lines from the main one to this one. */
function wayTo({ model: { lines } }: OpenGraph, line: number): number[] {
  const way = [line];
  for (let up = lines[line]?.parent ?? -1; up !== -1 && !way.includes(up); up = lines[up]?.parent ?? -1)
    way.unshift(up);
  return way;
}

const MARK_WORDS: Partial<Record<NonNullable<GraphItem["mark"]>, string>> = {
  text: "Answer",
  thinking: "Thinking",
  prompt: "Prompt",
  other: "Note",
};

/** What an item is, in a few words: `turns 4–9`, `7 rows of turn 4`, `Bash`. */
export function itemTitle({ model }: OpenGraph, index: number): string {
  const item = model.items[index];
  if (!item) return "";
  switch (item.kind) {
    case "group":
    case "turn":
      return turnsOf(item).replace(/^t/, "T");
    case "compaction":
      return "Compacted";
    case "row":
      return item.name || (MARK_WORDS[item.mark ?? "other"] ?? "Tool");
    case "run":
      return `${formatPlural(item.rows, "row")}${item.turn > 0 ? ` of turn ${item.turn}` : ""}`;
  }
}

/** What happened in an item, as far as it is worth a word. */
export function itemFacts({
  kind,
  rows,
  calls,
  errors,
  denied,
  edits,
  agents,
  tookS,
  mark,
}: GraphItem): string[] {
  if (kind === "row")
    return mark === null || mark === "tool" || mark === "text" ? [] : [mark.replace("-", " ")];
  return [
    kind === "group" && rows > 0 ? formatPlural(rows, "row") : "",
    calls > 0 ? formatPlural(calls, "tool") : "",
    edits > 0 ? formatPlural(edits, "edit") : "",
    errors > 0 ? formatPlural(errors, "error") : "",
    denied > 0 ? `${denied} denied` : "",
    agents > 0 ? formatPlural(agents, "agent") : "",
    tookS !== null && tookS > 0 ? formatDuration(tookS * 1000) : "",
  ].filter(Boolean);
}

/** Which line an item is on: `main`, an agent's or a branch's name. */
export function formatLine({ model }: OpenGraph, line: number): string {
  const own = model.lines[line];
  if (!own || line === 0) return "main";
  return own.label || (own.agent ? `agent ${own.agent.slice(0, 8)}` : "another branch");
}

import { type RefObject, useId } from "react";
import { formatDuration, formatFailures, formatMoment, formatPlural } from "@/lib/format/format";
import { formatAgentState } from "@/lib/wire/rows";
import { turnsOf } from "./draw-items";
import type { GraphItem, GraphLine } from "./graph-model";
import type { OpenGraph } from "./use-graph";

/** How many items before and after the selected one are in the DOM; the range follows the selection. */
const NEIGHBOURS = 12;

/**
 * The graph for assistive technology, which also holds the focus for the graph's keys: a tree of lines and their items.
 * Only the part around the selected item is in the DOM.
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
  const path = ancestorLines(graph, lineOf[selected] ?? 0);
  return (
    <div
      ref={ref}
      role="tree"
      aria-label="Graph of the session"
      tabIndex={0}
      aria-activedescendant={`${id}-${selected}`}
      // The canvas draws the focus frame around the selected item, since that is what the keys move.
      className="pointer-events-none absolute inset-0 z-2 outline-none!"
    >
      <div className="sr-only">
        {path.flatMap((line, depth) => {
          const { from = 0, to = 0 } = lines[line] ?? {};
          const child = path[depth + 1];
          const at = child === undefined ? selected : Math.max(from, lines[child]?.leaves ?? from);
          const first = Math.max(from, at - NEIGHBOURS);
          const shown = Array.from(
            { length: Math.min(to, at + NEIGHBOURS + 1) - first },
            (_, i) => first + i,
          );
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
                  item?.atMs == null ? "" : formatMoment(item.atMs, Date.now()),
                  formatLine(graph, line),
                  lines[line] ? formatAgentFacts(lines[line]) : "",
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

/** The lines from the main line down to this one. */
function ancestorLines({ model: { lines } }: OpenGraph, line: number): number[] {
  const path = [line];
  for (let up = lines[line]?.parent ?? -1; up !== -1 && !path.includes(up); up = lines[up]?.parent ?? -1)
    path.unshift(up);
  return path;
}

const MARK_TITLES: Partial<Record<NonNullable<GraphItem["mark"]>, string>> = {
  text: "Answer",
  thinking: "Thinking",
  prompt: "Prompt",
  other: "Note",
};

/** A short title: `turns 4–9`, `7 rows of turn 4`, `Bash`. */
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
      return item.name || (MARK_TITLES[item.mark ?? "other"] ?? "Tool");
    case "run":
      return `${formatPlural(item.rows, "row")}${item.turn > 0 ? ` of turn ${item.turn}` : ""}`;
  }
}

/** Counts and duration of an item; zero counts are left out. */
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
    formatFailures(errors, denied),
    agents > 0 ? formatPlural(agents, "agent") : "",
    tookS !== null && tookS > 0 ? formatDuration(tookS * 1000) : "",
  ].filter(Boolean);
}

/** How an agent's line ended and how long it took; "" for a branch. */
export function formatAgentFacts({ agent, state, tookMs }: GraphLine): string {
  if (agent === null) return "";
  const took = tookMs === null || state === "running" ? "" : formatDuration(tookMs);
  return [formatAgentState(state), took].filter(Boolean).join(" · ");
}

/** The name of an item's line: `main`, or that of an agent or branch. */
export function formatLine({ model }: OpenGraph, line: number): string {
  const own = model.lines[line];
  if (!own || line === 0) return "main";
  return own.label || (own.agent ? `agent ${own.agent.slice(0, 8)}` : "another branch");
}

import { formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import { turnsOf } from "./draw-items";
import type { GraphItem } from "./graph-item";
import type { OpenGraph } from "./use-graph";

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
export function lineWords({ model }: OpenGraph, line: number): string {
  const own = model.lines[line];
  if (!own || line === 0) return "main";
  return own.label || (own.agent ? `agent ${own.agent.slice(0, 8)}` : "another branch");
}

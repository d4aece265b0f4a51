import { formatDuration, formatPlural } from "@/lib/format/format";
import type { AgentReturnRow, Row, ToolRow } from "@/lib/wire/rows";

/** A row as Markdown, followed by an empty line; "" for a row that is not printed. */
export function rowToMarkdown(row: Row): string {
  const text = lines(row);
  return text === "" ? "" : `${text}\n\n`;
}

function lines(row: Row): string {
  switch (row.kind) {
    case "turn":
      return `## ${row.turn}. ${firstLine(row.prompt.text)}\n\n${quote(row.prompt.text)}`;
    case "text":
      return row.text.text;
    case "thinking":
      return row.redacted ? "_Redacted thinking_" : details("Thinking", row.text.text);
    case "tool": {
      const facts = [row.aside, row.result, formatAgents(row), changes(row.added, row.removed)]
        .filter(Boolean)
        .join(" · ");
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${code(row.subject)}${facts ? ` — ${facts}` : ""}`;
    }
    case "run":
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${row.subject}: ${code(row.aside)}`;
    case "agent-return":
      return details(formatReturn(row), row.text.text);
    case "compaction":
      return `---\n\n_Compacted${tokens(row.preTokens, row.postTokens)}_${row.summary ? `\n\n${details("Summary", row.summary.text)}` : ""}`;
    case "event":
      return row.text.text ? details(row.label, row.text.text) : `_${row.label}_`;
    // One branch is exported: where others leave it says nothing to who has only this file.
    case "fork":
      return "";
    case "blob":
      return `_${row.blob.kind === "image" ? "Image" : "Document"}${row.blob.name ? ` ${row.blob.name}` : ""}_`;
    case "context":
      return details(row.label, row.text.text);
    case "unknown":
      return details(`Unknown record: ${row.type}`, row.text.text);
    case "unreadable":
      return `_Line ${row.line} is unreadable: ${row.reason}_`;
    case "bookkeeping":
      return "";
  }
}

/** What a call's agents did and how long that took, "" for a call without agents. */
export function formatAgents({ agent, agents, durationMs }: ToolRow): string {
  if (!agent) return "";
  const all = agents ?? [agent];
  const tools = all.reduce((sum, { toolCalls }) => sum + toolCalls, 0);
  return [
    all.length > 1 ? formatPlural(all.length, "agent") : null,
    formatPlural(tools, "tool"),
    durationMs === null ? null : formatDuration(durationMs),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Says that an agent's answer returns, and after how long. */
export function formatReturn({ durationMs }: AgentReturnRow): string {
  return durationMs === null ? "An agent returned" : `An agent returned after ${formatDuration(durationMs)}`;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

function quote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** A folded block. */
function details(summary: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`;
}

function code(text: string): string {
  if (text === "") return "";
  const ticks = fenceFor(text, 1);
  return ticks.length > 1 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** Backticks that can enclose any text: one more than the longest run in it. */
function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

function changes(added: number | null, removed: number | null): string {
  return added === null ? "" : `+${added} −${removed ?? 0}`;
}

function tokens(before: number | null, after: number | null): string {
  if (before === null) return "";
  return after === null ? `: ${before} tokens before` : `: ${before} → ${after} tokens`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

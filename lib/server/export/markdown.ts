import MarkdownIt from "markdown-it";
import { formatDuration, formatFullTime } from "@/lib/format/format";
import { firstWords, spellControls } from "@/lib/format/text";
import { asWritten, codeSpan, fenceFor, onOneLine, quoteText } from "@/lib/markup/write-markdown";
import { toolNamed } from "@/lib/tools/tools";
import type { Row, ToolRow, TurnRow } from "@/lib/wire/rows";
import { agentFacts, formatAgents, formatNoAgents, formatReturn } from "./agent-words";
import type { AgentStart, ExportedAgent } from "./exported-threads";

/** A row as Markdown, followed by an empty line; "" for a row that is not printed. `agents`: those that it names. */
export function rowToMarkdown(
  row: Row,
  agents: readonly ExportedAgent[] = [],
  agentsLeftOut = false,
): string {
  const text = lines(row, agents, agentsLeftOut);
  return text === "" ? "" : `${text}\n\n`;
}

/** The head of an agent's thread: its name as a heading, where it was started, its outcome. */
export function agentToMarkdown(agent: ExportedAgent, from: AgentStart | null): string {
  const facts = [
    agent.type && asWritten(agent.type),
    ...agentFacts(agent),
    from && (from.by ? `started by ${agentLink(from.by)}` : `started in turn ${from.turn}`),
  ];
  return `<a id="agent-${agent.number}"></a>\n\n## ${firstLine(agent.name)}\n\n_${facts.filter(Boolean).join(" · ")}_\n\n`;
}

function agentLink({ number, name }: ExportedAgent): string {
  return `[${asWritten(firstLine(name))}](#agent-${number})`;
}

function lines(row: Row, agents: readonly ExportedAgent[], agentsLeftOut: boolean): string {
  switch (row.kind) {
    case "turn":
      // An agent's prompt is below its own heading.
      if (row.source === "agent") return quoteText(row.prompt.text);
      return `## ${row.turn}. ${firstLine(row.prompt.text)}\n\n${when(row)}${quoteText(row.prompt.text)}`;
    case "text":
      return closed(row.text.text);
    case "thinking":
      return row.redacted ? "_Redacted thinking_" : details("Thinking", row.text.text);
    case "tool": {
      const facts = [
        row.aside && asWritten(row.aside),
        row.result ? asWritten(row.result) : withoutResult(row),
        formatAgents(row),
        changes(row.added, row.removed),
        formatNoAgents(row, agentsLeftOut),
        agents.length === 1
          ? `[what it did](#agent-${agents[0]?.number})`
          : agents.map((agent) => agentLink(agent)).join(", "),
      ]
        .filter(Boolean)
        .join(" · ");
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${codeSpan(row.subject)}${behind(facts)}`;
    }
    case "run":
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${row.subject}: ${codeSpan(row.aside)}`;
    case "agent-return":
      return details(formatReturn(row, agents[0]?.name), row.text.text);
    case "compaction":
      return `---\n\n_Compacted${tokens(row.preTokens, row.postTokens)}_${row.summary ? `\n\n${details("Summary", row.summary.text)}` : ""}`;
    case "event":
      return row.text.text ? details(row.label, row.text.text) : `_${asWritten(row.label)}_`;
    // One branch is exported: forks mean nothing to a reader who has only this file.
    case "fork":
      return "";
    case "blob":
      return `_${row.blob.kind === "image" ? "Image" : "Document"}${row.blob.name ? ` ${asWritten(row.blob.name)}` : ""}_`;
    case "context":
      return details(row.label, row.text.text);
    case "unknown":
      return details(`Unknown record: ${row.type}`, row.text.text);
    case "unreadable":
      return `_Line ${row.line} is unreadable: ${asWritten(row.reason)}_`;
    case "bookkeeping":
      return "";
  }
}

/** When a prompt was written, and how long its turn took; in the time zone that the file's head names. */
function when({ atMs, durationMs, partial, takenBack }: TurnRow): string {
  const facts = [
    takenBack && "taken back",
    atMs !== null && formatFullTime(atMs),
    durationMs !== null && !partial && formatDuration(durationMs),
  ].filter(Boolean);
  return facts.length === 0 ? "" : `_${facts.join(" · ")}_\n\n`;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return firstWords(line, 100);
}

/** Reads blocks alone: their contents are left as they are. */
const blocks = new MarkdownIt("commonmark");
blocks.core.ruler.enableOnly(["normalize", "block"]);

/** Whatever is open at the end of a text continues until it is closed; everything else ends with an empty line. */
const MAY_STAY_OPEN = /`{3}|~{3}|<[!?a-z]/i;

/**
 * A text as Markdown that cannot affect what follows: an answer that was cut off in a block of code, or in a comment,
 * is closed. Lists and quotes end at the next line outside of them.
 */
function closed(markdown: string): string {
  if (!MAY_STAY_OPEN.test(markdown)) return markdown;
  // As in the output: a lone carriage return is spelled out, and ends no line there.
  const text = spellControls(markdown.replaceAll("\r\n", "\n"));
  const last = blocks.parse(`${text}\n\n# What follows`, {}).at(-1);
  const end =
    last?.type === "fence" ? last.markup : last?.type === "html_block" ? endOfHtml(last.content) : "";
  return end === "" ? text : `${text.replace(/\n+$/, "")}\n${end}`;
}

/** What ends an HTML block that extends over empty lines. */
function endOfHtml(html: string): string {
  const [, start = "", tag = ""] =
    /^\s*(<!--|<\?|<!\[CDATA\[|<![a-z]|<(script|pre|style|textarea)(?![\w-]))/i.exec(html) ?? [];
  if (tag !== "") return `</${tag}>`;
  return HTML_ENDS.get(start) ?? (start === "" ? "" : ">");
}

const HTML_ENDS: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
]);

/** A folded block. */
function details(summary: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `<details><summary>${escapeHtml(onOneLine(summary))}</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`;
}

/** Why a call has no result, where the log tells: a question without an answer looks like one that was never put. */
function withoutResult({ name, server, state }: ToolRow): string | null {
  if (state === "ok" || state === "error") return null;
  const asks = server === null && toolNamed(name)?.asks === "question";
  if (asks && state !== "denied") return "not answered";
  return state === "running" ? "no result yet" : state.replace("-", " ");
}

/** Facts behind a call's subject; an arrow leads to them by itself. */
function behind(facts: string): string {
  if (facts === "") return "";
  return facts.startsWith("→") ? ` ${facts}` : ` — ${facts}`;
}

/** As rows say it: what is none is left out. */
function changes(added: number | null, removed: number | null): string {
  return [added ? `+${added}` : "", removed ? `−${removed}` : ""].filter(Boolean).join(" ");
}

function tokens(before: number | null, after: number | null): string {
  if (before === null) return "";
  return after === null ? `: ${before} tokens before` : `: ${before} → ${after} tokens`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

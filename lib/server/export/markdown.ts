import type { Row } from "@/lib/wire/rows";

/** A row as Markdown, followed by an empty line; "" for a row that says nothing in print. */
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
      const facts = [row.aside, row.result, changes(row.added, row.removed)].filter(Boolean).join(" · ");
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${code(row.subject)}${facts ? ` — ${facts}` : ""}`;
    }
    case "run":
      return `- **${row.server ? `${row.server} ` : ""}${row.name}** ${row.subject}: ${code(row.aside)}`;
    case "agent-return":
      return details("An agent returned", row.text.text);
    case "compaction":
      return `---\n\n_Compacted${tokens(row.preTokens, row.postTokens)}_${row.summary ? `\n\n${details("Summary", row.summary.text)}` : ""}`;
    case "event":
      return row.text.text ? details(row.label, row.text.text) : `_${row.label}_`;
    case "fork":
      return row.branches.length > 1 ? `_${row.branches.length} branches from here_` : "";
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

/** A folded block. A fence longer than any in the text holds whatever the text is. */
function details(summary: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`;
}

function code(text: string): string {
  if (text === "") return "";
  const ticks = text.includes("`") ? "``" : "`";
  return ticks === "``" ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
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

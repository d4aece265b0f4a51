import type { Row } from "@/lib/wire/rows";
import { formatAgents, formatReturn, rowToMarkdown } from "./markdown";

/** The page has its own policy: opened from disk it runs nothing and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin-top: 2rem; border-top: 1px solid #8888; padding-top: .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
.prompt { border-left: 3px solid #76a8ff; padding-left: .75rem; } .meta { color: gray; }
details { margin: .25rem 0; } summary { cursor: pointer; }`;

/** The start of an exported page. All text is escaped: nothing from a log becomes markup. */
export function htmlHead(title: string, facts: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>${escape(title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(title)}</h1><p class="meta">${escape(facts)}</p>
`;
}

export const HTML_END = "</body></html>\n";

/** The heading of a thread, where a page contains several. */
export function threadToHtml(name: string): string {
  return `<h1>${escape(name)}</h1>\n`;
}

/** A row as markup; "" for one that is not printed. */
export function rowToHtml(row: Row): string {
  switch (row.kind) {
    case "turn":
      return `<h2>Turn ${row.turn}</h2><div class="prompt"><pre>${escape(row.prompt.text)}</pre></div>\n`;
    case "text":
      return `<pre>${escape(row.text.text)}</pre>\n`;
    case "thinking":
      return folded(row.redacted ? "Redacted thinking" : "Thinking", row.text.text);
    case "agent-return":
      return folded(formatReturn(row), row.text.text);
    case "context":
      return folded(row.label, row.text.text);
    case "event":
      return row.text.text ? folded(row.label, row.text.text) : `<p class="meta">${escape(row.label)}</p>\n`;
    case "tool": {
      const facts = [
        row.aside,
        row.result,
        formatAgents(row),
        row.added === null ? null : `+${row.added} −${row.removed ?? 0}`,
      ];
      return `<p><b>${escape(row.server ? `${row.server} ${row.name}` : row.name)}</b> <code>${escape(row.subject)}</code> <span class="meta">${escape(facts.filter(Boolean).join(" · "))}</span></p>\n`;
    }
    default: {
      const text = rowToMarkdown(row).trim();
      return text === "" ? "" : `<pre class="meta">${escape(text)}</pre>\n`;
    }
  }
}

function folded(summary: string, text: string): string {
  return `<details><summary>${escape(summary)}</summary><pre>${escape(text)}</pre></details>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

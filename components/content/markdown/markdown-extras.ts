import type { MarkdownNode } from "./markdown-node";

const NOTE = /^\[\^([^\]\s]{1,40})\]:[ \t]+(.+)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Footnotes stand in lines of their own (`[^1]: …`), and are shown below all else. Not in fenced code. */
export function cutNotes(text: string): { body: string; notes: { label: string; text: string }[] } {
  if (!text.includes("[^")) return { body: text, notes: [] };
  const notes: { label: string; text: string }[] = [];
  let fence: string | null = null;
  const body = text.split("\n").filter((line) => {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null;
    const [, label, note] = fence === null ? (NOTE.exec(line) ?? []) : [];
    if (label && note) notes.push({ label, text: note });
    return !label;
  });
  return { body: body.join("\n"), notes };
}

// `$5 and $6` are prices: a formula has no space inside its signs and no digit behind them.
const EXTRAS =
  /\[\^([^\]\s]{1,40})\]|\$\$([^$\n]{1,2000})\$\$|\$(?=[^\s$\d])([^$\n]{0,499}[^\s$\\])\$(?!\d)/g;

/** Plain text with its marks of footnotes and its formulas, which are shown as their source. */
export function splitInline(text: string): MarkdownNode[] {
  if (text === "") return [];
  if (!text.includes("$") && !text.includes("[^")) return [{ kind: "text", text }];
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(EXTRAS)) {
    if (match.index > from) nodes.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, label, block, inline] = match;
    if (label) nodes.push({ kind: "note-mark", label });
    else nodes.push({ kind: "math", text: block ?? inline ?? "" });
    from = match.index + whole.length;
  }
  if (from < text.length) nodes.push({ kind: "text", text: text.slice(from) });
  return nodes;
}

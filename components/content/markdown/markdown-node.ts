/** Elements that are made as they are, by markdown-it's names. */
export const MARKDOWN_TAGS = [
  "p",
  "strong",
  "em",
  "s",
  "blockquote",
  "table",
  "thead",
  "tbody",
  "tr",
] as const;
type MarkdownTag = (typeof MARKDOWN_TAGS)[number];

/** A block or span of a text, made from markdown-it's tokens; text is never HTML. */
export type MarkdownNode =
  | { kind: "text"; text: string }
  | { kind: "element"; tag: MarkdownTag; children: MarkdownNode[] }
  | { kind: "list"; ordered: boolean; start: number; children: MarkdownNode[] }
  | { kind: "item"; task: "open" | "done" | null; children: MarkdownNode[] }
  | { kind: "cell"; head: boolean; align: "left" | "center" | "right"; children: MarkdownNode[] }
  | { kind: "heading"; level: number; children: MarkdownNode[] }
  | { kind: "link"; target: string; children: MarkdownNode[] }
  | { kind: "image"; target: string; alt: string }
  | { kind: "code"; text: string }
  | { kind: "fence"; language: string; text: string }
  | { kind: "note-mark"; label: string }
  | { kind: "note"; label: string; children: MarkdownNode[] }
  | { kind: "math"; text: string }
  | { kind: "break" }
  | { kind: "rule" };

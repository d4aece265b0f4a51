import MarkdownIt from "markdown-it";

// No HTML: tags in a log are content and are shown as written.
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
// `deploy.sh` and `retry.rs` are file names, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

type Token = ReturnType<typeof parser.parse>[number];

/** Parses Markdown. Never fails: whatever is not Markdown is text. The parser bounds the depth. */
export function parseMarkdown(text: string): MarkdownNode[] {
  const { body, notes } = cutNotes(text);
  const nodes = build(parser.parse(body, {}));
  for (const { label, text: note } of notes) {
    nodes.push({ kind: "note", label, children: build(parser.parseInline(note, {})) });
  }
  return nodes;
}

/** A Markdown text on one line as it reads, without its marks: items, cells and lines are separated by spaces. */
export function markdownLine(text: string): string {
  return markdownText(text).replace(/\s+/g, " ");
}

/** A Markdown text as it reads, without its marks: blocks and items on lines of their own, cells separated by spaces. */
export function markdownText(text: string): string {
  const words: string[] = [];
  const open = parseMarkdown(text).reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    const isInline = node.kind === "link" || (node.kind === "element" && INLINE.has(node.tag));
    if (node.kind === "cell" || node.kind === "image" || node.kind === "note-mark") {
      if (!words.at(-1)?.endsWith("\n")) words.push(" ");
    } else if (!isInline && node.kind !== "text" && node.kind !== "code" && node.kind !== "math")
      words.push("\n");
    if ("children" in node) pushAll(open, node.children.toReversed());
    else if ("text" in node) words.push(node.text);
    else if (node.kind === "image") words.push(node.alt);
    else if (node.kind === "note-mark") words.push(`[${node.label}]`);
  }
  return words.join("").replace(/\s*\n/g, "\n").trim();
}

const INLINE: ReadonlySet<string> = new Set(["strong", "em", "s"]);

/** markdown-it emits a flat list of opening, closing and leaf tokens; a stack turns it into a tree. */
function build(tokens: Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const stack: MarkdownNode[][] = [root];
  const top = () => stack[stack.length - 1] ?? root;
  for (const token of tokens) {
    if (token.type === "inline") pushAll(top(), build(token.children ?? []));
    else if (token.type === "text") pushAll(top(), splitInline(token.content));
    else if (token.nesting === 1) {
      const children: MarkdownNode[] = [];
      if (!token.hidden) top().push(open(token, children));
      // A hidden paragraph (in a tight list) gets no element of its own: its content goes to the list item.
      stack.push(token.hidden ? top() : children);
    } else if (token.nesting === -1) {
      if (stack.length > 1) stack.pop();
    } else {
      const node = leaf(token);
      if (node) top().push(node);
    }
  }
  markTasks(root);
  return root;
}

/** A paragraph may have more parts than a call can have arguments. */
function pushAll<T>(list: T[], added: readonly T[]): void {
  for (const one of added) list.push(one);
}

const attribute = (token: Token, name: string) => String(token.attrGet(name) ?? "");

function open(token: Token, children: MarkdownNode[]): MarkdownNode {
  const { tag } = token;
  if (tag === "ul" || tag === "ol") {
    return { kind: "list", ordered: tag === "ol", start: Number(token.attrGet("start") ?? 1), children };
  }
  if (tag === "li") return { kind: "item", task: null, children };
  if (tag === "th" || tag === "td") {
    const align = /(left|center|right)/.exec(attribute(token, "style"))?.[1] ?? "left";
    return { kind: "cell", head: tag === "th", align: align as "left" | "center" | "right", children };
  }
  if (tag === "a") return { kind: "link", target: attribute(token, "href"), children };
  if (/^h[1-6]$/.test(tag)) return { kind: "heading", level: Number(tag[1]), children };
  return { kind: "element", tag: MARKDOWN_TAGS.find((one) => one === tag) ?? "p", children };
}

function leaf(token: Token): MarkdownNode | null {
  switch (token.type) {
    case "code_inline":
      return { kind: "code", text: token.content };
    case "fence":
    case "code_block":
      return { kind: "fence", language: token.info.trim().split(/\s+/)[0] ?? "", text: token.content };
    case "softbreak":
    case "hardbreak":
      return { kind: "break" };
    case "hr":
      return { kind: "rule" };
    case "image":
      return { kind: "image", target: attribute(token, "src"), alt: token.content };
    default:
      return { kind: "text", text: token.content };
  }
}

/** Turns a leading `[ ]` or `[x]` of list items into a checkbox, in nested lists too. */
function markTasks(root: MarkdownNode[]): void {
  const left = [...root];
  for (let node = left.pop(); node; node = left.pop()) {
    if ("children" in node) pushAll(left, node.children);
    if (node.kind !== "item") continue;
    const first = node.children[0];
    const paragraph = first?.kind === "element" ? first.children[0] : first;
    const box = paragraph?.kind === "text" ? /^\[([ xX])\] /.exec(paragraph.text) : null;
    if (box && paragraph?.kind === "text") {
      node.task = box[1] === " " ? "open" : "done";
      paragraph.text = paragraph.text.slice(box[0].length);
    }
  }
}

/** Elements that are rendered unchanged, by markdown-it's tag names. */
const MARKDOWN_TAGS = ["p", "strong", "em", "s", "blockquote", "table", "thead", "tbody", "tr"] as const;
type MarkdownTag = (typeof MARKDOWN_TAGS)[number];

/** A block or span of a parsed text. Text is never HTML. */
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

const NOTE = /^\[\^([^\]\s]{1,40})\]:[ \t]+(.+)$/;
/** Opens a fence, or closes one if nothing follows the mark; an info string after backticks contains no backtick. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/;

/** Collects footnote definitions (`[^1]: …`), which are shown at the end. Those in fenced code are left alone. */
export function cutNotes(text: string): { body: string; notes: { label: string; text: string }[] } {
  if (!text.includes("[^")) return { body: text, notes: [] };
  const notes: { label: string; text: string }[] = [];
  let fence: string | null = null;
  const body = text.split("\n").filter((line) => {
    const [, mark, info] = FENCE.exec(line) ?? [];
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence) && info?.trim() === "") fence = null;
    const [, label, note] = fence === null ? (NOTE.exec(line) ?? []) : [];
    if (label && note) notes.push({ label, text: note });
    return !label;
  });
  return { body: body.join("\n"), notes };
}

// As on GitHub, a formula stands alone and has no space just inside of its dollar signs: `$5 and $6`,
// `PATH=$HOME/bin:$PATH`, `${A}${B}` and `^[a-z]+$|^x$` contain none.
const EXTRAS =
  /\[\^([^\]\s]{1,40})\]|(?<![^\s("'“‘«–—])(?:\$\$[^$\n]{1,2000}\$\$|\$(?=[^\s$\d{])[^$\n]{0,499}[^\s$\\]\$)(?![\p{L}\p{N}_${(])/gu;

/** Splits plain text at footnote references and formulas; formulas are shown as their source, dollar signs and all. */
export function splitInline(text: string): MarkdownNode[] {
  if (text === "") return [];
  if (!text.includes("$") && !text.includes("[^")) return [{ kind: "text", text }];
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(EXTRAS)) {
    if (match.index > from) nodes.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, label] = match;
    nodes.push(label ? { kind: "note-mark", label } : { kind: "math", text: whole });
    from = match.index + whole.length;
  }
  if (from < text.length) nodes.push({ kind: "text", text: text.slice(from) });
  return nodes;
}

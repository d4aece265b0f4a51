import MarkdownIt from "markdown-it";
import { cutNotes, splitInline } from "./markdown-extras";
import { MARKDOWN_TAGS, type MarkdownNode } from "./markdown-node";

// No HTML: tags in a log are content, and show as what was written.
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
// `deploy.sh` and `retry.rs` are files, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

type Token = ReturnType<typeof parser.parse>[number];

/** Reads a text as Markdown. Never fails; what is no Markdown is text. Depth is bounded by the parser. */
export function parseMarkdown(text: string): MarkdownNode[] {
  const { body, notes } = cutNotes(text);
  const nodes = build(parser.parse(body, {}));
  for (const { label, text: note } of notes) {
    nodes.push({ kind: "note", label, children: build(parser.parseInline(note, {})) });
  }
  return nodes;
}

/** Tokens come as a flat list of openings, closings and leaves; a stack makes them a tree. */
function build(tokens: Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const stack: MarkdownNode[][] = [root];
  const top = () => stack[stack.length - 1] ?? root;
  for (const token of tokens) {
    if (token.type === "inline") top().push(...build(token.children ?? []));
    else if (token.type === "text") top().push(...splitInline(token.content));
    else if (token.nesting === 1) {
      const children: MarkdownNode[] = [];
      if (!token.hidden) top().push(open(token, children));
      // A hidden paragraph (in a tight list) has no box of its own: its content is the item's.
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

/** Gives items that begin with `[ ]` or `[x]` their box, in lists within lists too. */
function markTasks(root: MarkdownNode[]): void {
  const left = [...root];
  for (let node = left.pop(); node; node = left.pop()) {
    if ("children" in node) left.push(...node.children);
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

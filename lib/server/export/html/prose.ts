import { splitPastes } from "@/lib/format/text";
import { type MarkdownNode, parseMarkdown } from "@/lib/markup/parse-markdown";
import { safeHref } from "@/lib/markup/safe-href";
import { type Html, type HtmlValue, html, visible } from "./html";

/** A Markdown text as markup. Images become links, tags stay text, and only http, https and mailto can be followed. */
export function prose(text: string): Html {
  return html`<div class="md">${nodes(parseMarkdown(text))}</div>`;
}

/** A prompt: its typed part as Markdown, its pasted part folded. */
export function promptProse(text: string): HtmlValue {
  return splitPastes(text).map((part) => {
    if (!part.pasted) return prose(part.text);
    const lines = part.text.trim().split("\n").length;
    return html`<details><summary>Pasted text <span class="meta">${lines} ${lines === 1 ? "line" : "lines"}</span></summary><pre>${visible(part.text)}</pre></details>`;
  });
}

/** The parser bounds the depth, so the recursion is bounded too. */
function nodes(list: readonly MarkdownNode[]): HtmlValue {
  return list.map(node);
}

function node(one: MarkdownNode): HtmlValue {
  switch (one.kind) {
    case "text":
      return visible(one.text);
    case "note-mark":
      return html`<sup>${one.label}</sup>`;
    case "note":
      return html`<p class="meta">${one.label} ${nodes(one.children)}</p>`;
    case "math":
    case "code":
      return html`<code>${visible(one.text)}</code>`;
    case "break":
      return html`<br>`;
    case "rule":
      return html`<hr>`;
    case "fence":
      return html`<pre>${visible(one.text.replace(/\n$/, ""))}</pre>`;
    case "image":
      return link(one.target, `image: ${one.alt || one.target}`);
    case "link":
      return link(one.target, nodes(one.children));
    case "heading":
      return html`<p class="h" role="heading" aria-level="${Math.min(6, one.level + 2)}">${nodes(one.children)}</p>`;
    case "list":
      return one.ordered
        ? html`<ol start="${one.start}">${items(one.children)}</ol>`
        : html`<ul>${items(one.children)}</ul>`;
    case "item":
      return nodes(one.children);
    case "cell":
      return one.head
        ? html`<th class="${one.align}">${nodes(one.children)}</th>`
        : html`<td class="${one.align}">${nodes(one.children)}</td>`;
    case "element":
      return element(one.tag, nodes(one.children));
  }
}

function items(list: readonly MarkdownNode[]): HtmlValue {
  return list.map((item) => {
    const task = item.kind === "item" ? item.task : null;
    if (task === null) return html`<li>${node(item)}</li>`;
    return html`<li class="task">${task === "done" ? "☑ " : "☐ "}${node(item)}</li>`;
  });
}

/** A tag cannot be a value of a template: each one is written out. */
function element(tag: Extract<MarkdownNode, { kind: "element" }>["tag"], content: HtmlValue): Html {
  switch (tag) {
    case "strong":
      return html`<strong>${content}</strong>`;
    case "em":
      return html`<em>${content}</em>`;
    case "s":
      return html`<s>${content}</s>`;
    case "blockquote":
      return html`<blockquote>${content}</blockquote>`;
    case "table":
      return html`<div class="scroll"><table>${content}</table></div>`;
    case "thead":
      return html`<thead>${content}</thead>`;
    case "tbody":
      return html`<tbody>${content}</tbody>`;
    case "tr":
      return html`<tr>${content}</tr>`;
    case "p":
      return html`<p>${content}</p>`;
  }
}

function link(target: string, content: HtmlValue): Html {
  const safe = safeHref(target);
  if (!safe) return html`<span title="${target}">${content}</span>`;
  return html`<a href="${safe.href}" rel="noopener noreferrer">${content}</a>`;
}

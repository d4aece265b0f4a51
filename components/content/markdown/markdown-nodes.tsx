import { CodeFence } from "@/components/content/code/code-fence";
import { VisibleText } from "@/components/content/text/visible-text";
import { MarkdownLink } from "./markdown-link";
import { MarkdownList } from "./markdown-list";
import type { MarkdownNode } from "./markdown-node";

/** Draws parsed Markdown. Depth is what the parser allows (100), so recursion ends. */
export function MarkdownNodes({ nodes }: { nodes: MarkdownNode[] }) {
  // Nodes of one text never change places.
  return nodes.map((node, index) => <Node key={index} node={node} />);
}

function Node({ node }: { node: MarkdownNode }) {
  switch (node.kind) {
    case "text":
      return <VisibleText text={node.text} />;
    case "note-mark":
      return <sup className="px-px text-11 text-fg-2">{node.label}</sup>;
    case "note":
      return (
        <p className="flex gap-2 text-12 text-fg-2">
          <span className="text-fg-3 tabular-nums">{node.label}</span>
          <span className="min-w-0">
            <MarkdownNodes nodes={node.children} />
          </span>
        </p>
      );
    case "math":
      return (
        <code className="rounded-1 bg-raised px-1 py-px font-mono text-code" title="A formula, as its source">
          <VisibleText text={node.text} />
        </code>
      );
    case "break":
      return <br />;
    case "rule":
      return <hr className="border-line-2" />;
    case "code":
      return (
        <code className="rounded-1 bg-raised px-1 py-px font-mono text-code">
          <VisibleText text={node.text} />
        </code>
      );
    case "fence":
      return <CodeFence text={node.text} language={node.language} />;
    case "image":
      return <MarkdownLink target={node.target}>image: {node.alt || node.target}</MarkdownLink>;
    case "link":
      return (
        <MarkdownLink target={node.target}>
          <MarkdownNodes nodes={node.children} />
        </MarkdownLink>
      );
    case "heading":
      return (
        <p className="pt-1 font-semibold" role="heading" aria-level={Math.min(6, node.level + 2)}>
          <MarkdownNodes nodes={node.children} />
        </p>
      );
    case "list":
      return <MarkdownList node={node} />;
    case "item":
      return <MarkdownNodes nodes={node.children} />;
    case "cell":
      return <Cell node={node} />;
    case "element":
      return <Element node={node} />;
  }
}

const ALIGN = { left: "text-left", center: "text-center", right: "text-right" };

function Cell({ node }: { node: Extract<MarkdownNode, { kind: "cell" }> }) {
  const content = <MarkdownNodes nodes={node.children} />;
  if (!node.head)
    return <td className={`border-t border-line px-3 py-0.5 ${ALIGN[node.align]}`}>{content}</td>;
  return (
    <th className={`bg-panel px-3 py-0.5 text-11 font-normal text-fg-2 ${ALIGN[node.align]}`}>{content}</th>
  );
}

function Element({ node }: { node: Extract<MarkdownNode, { kind: "element" }> }) {
  const content = <MarkdownNodes nodes={node.children} />;
  switch (node.tag) {
    case "table":
      return (
        <div className="max-w-full! overflow-x-auto">
          <table className="border-collapse border border-line-2 text-12 tabular-nums">{content}</table>
        </div>
      );
    case "blockquote":
      return (
        <blockquote className="border-l-2 border-line-2 pl-2.5 text-fg-2 [&>*+*]:mt-1.5">
          {content}
        </blockquote>
      );
    case "strong":
      return <strong className="font-semibold">{content}</strong>;
    default:
      return <node.tag>{content}</node.tag>;
  }
}

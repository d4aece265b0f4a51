import { clsx } from "clsx";
import { memo, type ReactNode, useMemo } from "react";
import { CodeFence } from "@/components/content/code/code-block";
import { TaskBox, VisibleText } from "@/components/content/text/visible-text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type MarkdownNode, parseMarkdown } from "@/lib/markup/parse-markdown";
import { safeHref } from "@/lib/markup/safe-href";

/** Renders Markdown from tokens to elements. Loads nothing: images become links, HTML stays text. */
export const Markdown = memo(function Markdown({ text, className }: { text: string; className?: string }) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div data-markdown="" className={clsx("break-words [&>*]:max-w-measure [&>*+*]:mt-1.5", className)}>
      <MarkdownNodes nodes={nodes} />
    </div>
  );
});

/** Renders parsed Markdown. The parser limits depth to 100, so the recursion is bounded. */
export function MarkdownNodes({ nodes }: { nodes: MarkdownNode[] }) {
  // The nodes of a text never reorder, so the index is a stable key.
  return nodes.map((node, index) => <Node key={index} node={node} />);
}

function Node({ node }: { node: MarkdownNode }) {
  switch (node.kind) {
    case "text":
      return <VisibleText text={node.text} />;
    case "note-mark":
      return (
        <sup data-log="none" className="px-px text-11 text-fg-2">
          {node.label}
        </sup>
      );
    case "note":
      return (
        <p className="flex gap-2 text-12 text-fg-2">
          <span data-log="none" className="text-fg-3 tabular-nums">
            {node.label}
          </span>
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
      return (
        <MarkdownLink target={node.target}>
          <span data-log="none">image: </span>
          {node.alt || node.target}
        </MarkdownLink>
      );
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
        <div tabIndex={0} className="max-w-full! overflow-x-auto">
          <table className="border-collapse border border-line-2 text-12 tabular-nums">{content}</table>
        </div>
      );
    case "blockquote":
      return (
        <blockquote dir="auto" className="border-s-2 border-line-2 ps-2.5 text-fg-2 [&>*+*]:mt-1.5">
          {content}
        </blockquote>
      );
    case "strong":
      return <strong className="font-semibold">{content}</strong>;
    default:
      return <node.tag>{content}</node.tag>;
  }
}

/** A link that opens only http, https and mailto; any other target is shown but can't be followed. */
function MarkdownLink({ target, children }: { target: string; children: ReactNode }) {
  const safe = safeHref(target);
  if (!safe) {
    return (
      <span
        className="underline decoration-fg-3 decoration-dotted underline-offset-3"
        title={labelHidden(target)}
      >
        {children}
      </span>
    );
  }
  return (
    <a
      // Underlined: in the midst of a text its colour alone would not tell it.
      className="text-accent underline underline-offset-3"
      href={safe.href}
      title={safe.host}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}

/** A list with a dash, a number or a task checkbox before each item. */
function MarkdownList({ node }: { node: Extract<MarkdownNode, { kind: "list" }> }) {
  const items = node.children.map((item, index) => (
    <li key={index} dir="auto" className="relative ps-5 [&>*+*]:mt-1.5">
      <span className="absolute start-0 text-fg-3 tabular-nums select-none" aria-hidden={!node.ordered}>
        {item.kind === "item" && item.task ? (
          <TaskBox state={item.task === "done" ? "done" : "pending"} />
        ) : node.ordered ? (
          `${node.start + index}.`
        ) : (
          <span className="absolute start-1.5 top-[0.7em] h-px w-1 bg-fg-3" />
        )}
      </span>
      {item.kind === "item" && <MarkdownNodes nodes={item.children} />}
    </li>
  ));
  if (node.ordered) return <ol className="list-none">{items}</ol>;
  return <ul className="list-none">{items}</ul>;
}

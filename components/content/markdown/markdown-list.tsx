import { TaskBox } from "@/components/content/text/task-box";
import type { MarkdownNode } from "./markdown-node";
import { MarkdownNodes } from "./markdown-nodes";

/** A list with a dash, a number or a task box before each item. */
export function MarkdownList({ node }: { node: Extract<MarkdownNode, { kind: "list" }> }) {
  const items = node.children.map((item, index) => (
    <li key={index} className="relative pl-5 [&>*+*]:mt-1.5">
      <span className="absolute left-0 text-fg-3 tabular-nums select-none" aria-hidden={!node.ordered}>
        {item.kind === "item" && item.task ? (
          <TaskBox state={item.task === "done" ? "done" : "pending"} />
        ) : node.ordered ? (
          `${node.start + index}.`
        ) : (
          <span className="absolute top-[0.7em] left-1.5 h-px w-1 bg-fg-3" />
        )}
      </span>
      {item.kind === "item" && <MarkdownNodes nodes={item.children} />}
    </li>
  ));
  if (node.ordered) return <ol className="list-none">{items}</ol>;
  return <ul className="list-none">{items}</ul>;
}

import { memo, useMemo } from "react";
import { cx } from "@/lib/client/class-names";
import { MarkdownNodes } from "./markdown-nodes";
import { parseMarkdown } from "./parse-markdown";

/** A text as Markdown, from tokens to elements. Loads nothing: images are links, HTML is text. */
export const Markdown = memo(function Markdown({ text, className }: { text: string; className?: string }) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div data-markdown="" className={cx("break-words [&>*]:max-w-measure [&>*+*]:mt-1.5", className)}>
      <MarkdownNodes nodes={nodes} />
    </div>
  );
});

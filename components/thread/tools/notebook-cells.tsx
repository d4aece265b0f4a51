import { CodeBlock } from "@/components/content/code/code-block";
import { fieldsOf, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { SectionLine } from "@/components/thread/section-line";

/** The cells of a notebook as they were read. */
export function NotebookCells({ cells }: { cells: readonly unknown[] }) {
  return cells.map((cell, index) => {
    const source = fieldsOf(cell).source;
    const text = Array.isArray(source) ? source.join("") : typeof source === "string" ? source : "";
    const type = textField(cell, "cellType") ?? textField(cell, "cell_type") ?? "code";
    return (
      <div key={index}>
        <SectionLine>
          cell {index + 1}, {type}
        </SectionLine>
        {type === "markdown" ? (
          <Markdown text={text} className="px-3 py-1" />
        ) : (
          <CodeBlock text={text} firstLine={1} language={textField(cell, "language") ?? "python"} />
        )}
      </div>
    );
  });
}

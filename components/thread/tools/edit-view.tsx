import { CodeBlock } from "@/components/content/code/code-block";
import { languageOfPath } from "@/components/content/code/highlight-language-of";
import { changeWords } from "@/components/content/diff/change-words";
import { DiffActions } from "@/components/content/diff/diff-actions";
import { FileChange } from "@/components/content/diff/file-change";
import { patchText } from "@/components/content/diff/patch-text";
import { useDiffChoice } from "@/components/content/diff/use-diff-choice";
import { useOriginal } from "@/components/content/diff/use-original";
import { fieldsOf, listField, textField } from "@/components/content/log-values";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { Tag } from "@/components/ui/tag";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** Edit, MultiEdit, Write and NotebookEdit: the change to each file, or why there was none. */
export function EditView({ row, call }: ToolViewProps) {
  const choice = useDiffChoice();
  const original = useOriginal(call);
  if (call.diffs.length === 0) return <NoChange row={row} call={call} />;
  const edits = listField(call.input, "edits").length;
  return call.diffs.map((diff, index) => {
    const path = shortenPath(diff.path, call.cwd);
    return (
      <OpenedBlock
        key={index}
        row={row}
        path={path}
        facts={
          <>
            <span className="min-w-[14ch] truncate font-mono" title={diff.path}>
              <VisibleText text={path} />
            </span>
            <CallFacts row={{ ...row, durationMs: null }} />
            <span className="flex-none">{changeWords(diff)}</span>
            <CellFacts call={call} />
            {edits > 1 && <span className="flex-none">{formatPlural(edits, "edit")} in order</span>}
            <ChangedLines added={diff.added} removed={diff.removed} />
            {diff.computed && <Tag>computed from input</Tag>}
            {diff.computed && (
              <span className="truncate text-fg-3">
                the log has no patch for this call, so line numbers aren’t known
              </span>
            )}
          </>
        }
        actions={diff.change === "updated" && <DiffActions choice={choice} />}
        copy={{ label: "Copy patch", text: () => patchText(diff) }}
        wrappable
      >
        <FileChange diff={diff} original={original} choice={choice} />
        {call.results.some(({ isError }) => isError) && <OutputBlocks row={row} call={call} />}
      </OpenedBlock>
    );
  });
}

/** Which cell of a notebook, and what was done with it. */
function CellFacts({ call }: Pick<ToolViewProps, "call">) {
  if (call.name !== "NotebookEdit") return null;
  const { structured } = call.results[0] ?? {};
  const cell = textField(structured, "cell_id") ?? textField(call.input, "cell_id");
  const type = textField(structured, "cell_type") ?? textField(call.input, "cell_type");
  return <span className="truncate">{[cell && `cell ${cell}`, type].filter(Boolean).join(", ")}</span>;
}

function NoChange({ row, call }: ToolViewProps) {
  const { input } = call;
  const path = textField(input, "file_path") ?? textField(input, "notebook_path") ?? row.subject;
  const language = languageOfPath(path);
  const looked = [input, ...listField(input, "edits")].flatMap((edit) => textField(edit, "old_string") ?? []);
  const wanted = textField(input, "content") ?? textField(input, "new_source");
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="min-w-[14ch] truncate font-mono">{shortenPath(path, call.cwd)}</span>
          <span>{call.results.length === 0 ? "not known to have been saved" : "unchanged"}</span>
        </>
      }
      copy={{ label: "Copy input", text: () => JSON.stringify(fieldsOf(input), null, 2) }}
      wrappable
    >
      <OutputBlocks row={row} call={call} />
      {looked.map((text, index) => (
        <div key={index}>
          <SectionLine>{looked.length > 1 ? `looked for, edit ${index + 1}` : "looked for"}</SectionLine>
          <CodeBlock text={text} firstLine={null} language={language} />
        </div>
      ))}
      {wanted !== null && (
        <>
          <SectionLine>would have written</SectionLine>
          <CodeBlock text={wanted} firstLine={1} language={language} />
        </>
      )}
    </OpenedBlock>
  );
}

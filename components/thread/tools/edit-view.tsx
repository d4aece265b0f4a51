import { Tag } from "@/components/ui/tag";
import { languageOfPath } from "@/lib/client/highlight-language-of";
import { formatPlural } from "@/lib/text/format-count";
import type { FileDiff } from "@/lib/wire/record";
import { CodeBlock } from "../code/code-block";
import { DiffView } from "../diff/diff-view";
import { OpenedBlock } from "../opened-block";
import { ChangedLines } from "../text/changed-lines";
import { shortenPath } from "../text/shorten-path";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { SectionLine } from "./section-line";
import { textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** Edit, MultiEdit, Write and NotebookEdit: the change to each file, or why there was none. */
export function EditView({ row, call }: ToolViewProps) {
  if (call.diffs.length === 0) return <NoChange row={row} call={call} />;
  return call.diffs.map((diff, index) => (
    <OpenedBlock
      key={index}
      row={row}
      facts={
        <>
          <span className="truncate font-mono" title={diff.path}>
            {shortenPath(diff.path, call.cwd)}
          </span>
          <CallFacts row={{ ...row, durationMs: null }} />
          <span className="flex-none">{changeWords(diff)}</span>
          <ChangedLines added={diff.added} removed={diff.removed} />
          {diff.computed && <Tag>computed from input</Tag>}
          {diff.computed && (
            <span className="truncate text-fg-3">
              the log has no patch for this call, so line numbers aren't known
            </span>
          )}
        </>
      }
      copy={{ label: "Copy patch", text: () => patchText(diff) }}
      wrappable
    >
      {diff.change === "created" ? (
        <CodeBlock text={addedText(diff)} firstLine={1} language={languageOfPath(diff.path)} created />
      ) : diff.hunks.length > 0 ? (
        <DiffView diff={diff} />
      ) : (
        <SectionLine>the file was written as it was</SectionLine>
      )}
      {call.results.some(({ isError }) => isError) && <OutputBlocks row={row} call={call} />}
    </OpenedBlock>
  ));
}

function NoChange({ row, call }: ToolViewProps) {
  const looked = textField(call.input, "old_string");
  const path = textField(call.input, "file_path") ?? row.subject;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="truncate font-mono">{shortenPath(path, call.cwd)}</span>
          <span>unchanged</span>
        </>
      }
      wrappable
    >
      <OutputBlocks row={row} call={call} />
      {looked && (
        <>
          <SectionLine>looked for</SectionLine>
          <CodeBlock text={looked} firstLine={null} language={languageOfPath(path)} />
        </>
      )}
    </OpenedBlock>
  );
}

function changeWords({ change, userModified, replaceAll, hunks, added }: FileDiff): string {
  if (change === "created") return `created, ${formatPlural(added, "line")}`;
  if (change === "unchanged") return "unchanged";
  const words = [replaceAll ? `replaced all, ${formatPlural(hunks.length, "place")}` : "updated"];
  if (userModified) words.push("then changed by you before it was saved");
  return words.join(", ");
}

function addedText({ hunks }: FileDiff): string {
  return hunks
    .flatMap(({ lines }) => lines.filter((line) => line[0] === "+").map((line) => line.slice(1)))
    .join("\n");
}

function patchText({ path, hunks }: FileDiff): string {
  const body = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join("\n")}`,
  );
  return `--- ${path}\n+++ ${path}\n${body.join("\n")}\n`;
}

import { CodeBlock } from "@/components/content/code/code-block";
import { languageOfPath } from "@/components/content/code/highlight-language-of";
import { fieldsOf, listField, numberField, resultText, textField } from "@/components/content/log-values";
import { shortenPath } from "@/components/content/text/shorten-path";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatCount } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { NotebookCells } from "./notebook-cells";
import { OutputBlocks } from "./output-blocks";

/** A file that was read: its lines with their numbers, an image, a notebook's cells, or what else is stored. */
export function ReadView({ row, call }: ToolViewProps) {
  const path = textField(call.input, "file_path") ?? textField(call.input, "notebook_path") ?? row.subject;
  const file = fieldsOf(call.results[0]?.structured).file;
  const stored = textField(file, "content");
  const read =
    stored !== null ? { text: stored, firstLine: numberField(file, "startLine") ?? 1 } : numbered(call);
  const cells = listField(file, "cells");
  const total = numberField(file, "totalLines");
  const failed = call.results.some(({ isError }) => isError);
  // The client counts the empty line behind the last newline, and so did the model.
  const lines = numberField(file, "numLines") ?? read?.text.replace(/\n$/, "").split("\n").length ?? 0;
  return (
    <OpenedBlock
      row={row}
      path={shortenPath(path, call.cwd)}
      facts={
        <>
          <span className="truncate font-mono" title={path}>
            {shortenPath(path, call.cwd)}
          </span>
          <CallFacts row={row} />
          {read?.text === "" && <span>an empty file</span>}
          {read && read.text !== "" && !failed && (
            <span>
              {formatCount(read.firstLine)}–{formatCount(read.firstLine + lines - 1)}
              {total !== null && ` of ${formatCount(total)} lines`}
            </span>
          )}
        </>
      }
      copy={{ label: "Copy content", text: read?.text ?? resultText(call).text }}
      wrappable
    >
      {cells.length > 0 ? (
        <NotebookCells cells={cells} />
      ) : read?.text === "" && !failed ? (
        <p className="px-3 py-1 text-12 text-fg-3">The file was empty.</p>
      ) : read && !failed ? (
        <CodeBlock text={read.text} firstLine={read.firstLine} language={languageOfPath(path)} />
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedBlock>
  );
}

/**
 * The lines of a result that has them with their numbers, `    12→text`, as the model got them. Agents'
 * results have no structured twin from 2.1.29 on, and this is all there is. `null` where it is no such text.
 */
function numbered(call: ToolViewProps["call"]): { text: string; firstLine: number } | null {
  const { text } = resultText(call);
  const first = /^\s*(\d+)(?:→|\t)/.exec(text);
  if (!first) return null;
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^\s*\d+(?:→|\t)/.test(line));
  const own = end === -1 ? lines : lines.slice(0, end);
  return {
    text: own.map((line) => line.replace(/^\s*\d+(?:→|\t)/, "")).join("\n"),
    firstLine: Number(first[1]),
  };
}

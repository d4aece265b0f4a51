import { useState } from "react";
import { fieldsOf, listField, numberField, resultText, textField } from "@/components/content/log-values";
import { LookButtons } from "@/components/content/text/look-buttons";
import { MoreText } from "@/components/content/text/more-text";
import { shortenPath } from "@/components/content/text/shorten-path";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { DataTable } from "./data-table";
import { FileTree } from "./file-tree";
import { globMarks } from "./glob-marks";
import { MatchList } from "./match-list";
import { OutputBlocks } from "./output-blocks";
import { usePatternMarks } from "./use-pattern-marks";

const LOOKS = [
  { value: "tree", label: "Tree" },
  { value: "list", label: "List" },
] as const;

/** Glob and Grep: files by folder, or the lines that matched by file, what was searched for marked. */
export function SearchView({ row, call }: ToolViewProps) {
  const [look, setLook] = useState<"tree" | "list">("tree");
  const { input } = call;
  const [result] = call.results;
  const structured = result?.structured;
  const pattern = textField(input, "pattern") ?? "";
  const isGlob = call.name === "Glob";
  const lineMarks = usePatternMarks(isGlob ? "" : pattern, fieldsOf(input)["-i"] === true);
  const nameMarks = (name: string) => (isGlob ? globMarks(pattern, name) : []);
  const failed = result?.isError ?? true;
  const found = foundFiles(call);
  const isContent = (textField(structured, "mode") ?? textField(input, "output_mode")) === "content";
  const matches = numberField(structured, "numMatches") ?? numberField(structured, "numLines");
  const files = numberField(structured, "numFiles") ?? found.length;
  const first = result?.blocks.find((block) => block.kind === "text");
  const counts =
    !failed && textField(structured, "mode") === "count" ? countedFiles(resultText(call).text, call.cwd) : [];
  const showsLines = !failed && isContent && first !== undefined && first.text.length > 0;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {matches !== null && (
            <span>
              {formatPlural(matches, isContent ? "line" : "match", isContent ? "lines" : "matches")}
            </span>
          )}
          {files > 0 && <span>{formatPlural(files, "file")}</span>}
          {fieldsOf(structured).truncated === true && <span className="text-warn">cut by the client</span>}
          {numberField(input, "head_limit") !== null && (
            <span className="text-fg-3">first {numberField(input, "head_limit")} asked for</span>
          )}
        </>
      }
      actions={
        !showsLines &&
        counts.length === 0 &&
        found.length > 0 && <LookButtons looks={LOOKS} look={look} onChange={setLook} />
      }
      copy={{ label: "Copy result", text: resultText(call).text }}
      wrappable={showsLines}
    >
      {showsLines && first ? (
        <MoreText row={{ ...row, recordId: result?.recordId ?? row.recordId }} text={first.text}>
          {(text) => <MatchList text={text} root={call.cwd} marks={lineMarks} />}
        </MoreText>
      ) : counts.length > 0 ? (
        <DataTable table={{ columns: ["file", "matches"], rows: counts }} />
      ) : found.length > 0 ? (
        <FileTree files={found} root={call.cwd} marks={nameMarks} flat={look === "list"} />
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedBlock>
  );
}

/** Named in the structured result, or, on agents' lines, one a line of the text. */
function foundFiles(call: ToolViewProps["call"]): string[] {
  const [result] = call.results;
  if (!result || result.isError) return [];
  const named = listField(result.structured, "filenames").filter((name) => typeof name === "string");
  if (named.length > 0 || result.structured !== null) return named;
  const lines = resultText(call)
    .text.split("\n")
    .filter((line) => line !== "");
  const paths = lines.filter((line) => /^(?:\/|[A-Za-z]:\\|[\w.-]+[/\\])?[^:]*$/.test(line));
  return paths.length > 0 && paths.length >= lines.length - 1 && /[/\\.]/.test(paths[0] ?? "") ? paths : [];
}

/** Of a search that only counts: `path:12`, a line a file. */
function countedFiles(text: string, root: string | null): { file: string; matches: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, file, matches] = /^(.+):(\d+)$/.exec(line) ?? [];
    return file ? [{ file: shortenPath(file, root), matches: Number(matches) }] : [];
  });
}

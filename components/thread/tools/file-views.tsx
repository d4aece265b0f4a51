import { CodeBlock } from "@/components/content/code/code-block";
import { ShowMore, useSteps } from "@/components/content/code/code-line";
import { languageOfPath } from "@/components/content/code/highlight-job";
import { OutputText } from "@/components/content/code/output-text";
import {
  DiffActions,
  FileChangeView,
  formatChange,
  useDiffChoice,
} from "@/components/content/diff/diff-actions";
import { isPatch, readPatch } from "@/components/content/diff/patch-text";
import { useOriginal } from "@/components/content/diff/use-original";
import { hasFailed, resultText } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import {
  CallFacts,
  OpenedBlock,
  OpenedCall,
  SectionLine,
  type ToolViewProps,
  type ToolViews,
} from "@/components/thread/opened-block";
import { Tag } from "@/components/ui/marks";
import { formatCount, formatPlural } from "@/lib/format/format";
import { fieldsOf, listField, numberField, textField } from "@/lib/format/json-values";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { OutputBlocks } from "./output-blocks";
import { readLines } from "./read-lines";
import { listedEntries } from "./search-views";

/** Files and folders, read or changed. */
export const FILE_VIEWS: ToolViews<"files"> = {
  Read: ReadView,
  NotebookRead: ReadView,
  Edit: EditView,
  MultiEdit: EditView,
  Write: EditView,
  NotebookEdit: EditView,
  LS: ListView,
};

/** A file that was read: its lines with their numbers, an image, a notebook's cells, or what else is stored. */
function ReadView({ row, call }: ToolViewProps) {
  const path = textField(call.input, "file_path") ?? textField(call.input, "notebook_path") ?? row.subject;
  const file = fieldsOf(call.results[0]?.structured).file;
  const read = readLines(call);
  const cells = listField(file, "cells");
  const total = numberField(file, "totalLines");
  const failed = hasFailed(call);
  // The client counts the empty line behind the last newline, and so did the model: it is shown as well.
  const lines = numberField(file, "numLines") ?? read?.text.split("\n").length ?? 0;
  const shown = read?.text.endsWith("\n") ? `${read.text}\n` : (read?.text ?? "");
  return (
    <OpenedBlock
      row={row}
      path={shortenPath(path, call.cwd)}
      facts={
        <>
          <span className="truncate font-mono" title={labelHidden(path)}>
            {shortenPath(path, call.cwd)}
          </span>
          <CallFacts row={row} />
          {read?.text === "" && <span>an empty file</span>}
          {read && read.text !== "" && !failed && (
            <span>
              {formatCount(read.firstLine)}–{formatCount(read.firstLine + lines - 1)}
              {total !== null && ` of ${formatPlural(total, "line")}`}
            </span>
          )}
          {read && !read.isWhole && !failed && (
            <span className="text-warn">
              only its first {formatPlural(read.text.length, "character")} here
            </span>
          )}
        </>
      }
      copy={{ label: "Copy content", text: read?.text ?? resultText(call).text }}
      wrappable
    >
      {cells.length > 0 ? (
        <>
          <NotebookCells cells={cells} />
          <OutputBlocks row={row} call={call} only="media" />
        </>
      ) : read?.text === "" && !failed ? (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          The file was empty.
        </p>
      ) : read && !failed ? (
        <CodeBlock text={shown} firstLine={read.firstLine} language={languageOfPath(path)} />
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedBlock>
  );
}

/** The cells of a notebook as they were read, with what they had printed. Images stand in the result itself. */
function NotebookCells({ cells }: { cells: readonly unknown[] }) {
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
        {listField(cell, "outputs").map((output, nth) => {
          const printed = textField(output, "text");
          return (
            <div key={nth}>
              <SectionLine>output{printed === null && ", not a text"}</SectionLine>
              {printed !== null && <OutputText text={printed} />}
            </div>
          );
        })}
      </div>
    );
  });
}

/** Edit, MultiEdit, Write and NotebookEdit: the change to each file, or why there was none. */
function EditView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
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
            <span className="truncate font-mono" style={pathRoom(path)} title={labelHidden(diff.path)}>
              <VisibleText text={path} />
            </span>
            <CallFacts row={{ ...row, durationMs: null }} />
            <span className="flex-none">{formatChange(diff)}</span>
            <CellFacts call={call} />
            {edits > 1 && <span className="flex-none">{formatPlural(edits, "edit")} in order</span>}
            <ChangedLines added={diff.added} removed={diff.removed} />
            {diff.computed && <Tag>computed from input</Tag>}
            {diff.computed && (
              <span className="truncate text-fg-3">no patch in the log, line numbers unknown</span>
            )}
          </>
        }
        actions={diff.change === "updated" && <DiffActions choice={choice} />}
        {...(diff.change !== "unchanged" && {
          copy: {
            label: isPatch(diff, [call]) ? "Copy patch" : "Copy diff",
            text: () => readPatch(sessionId, diff, [call]),
          },
        })}
        wrappable
      >
        <FileChangeView diff={diff} original={original} choice={choice} />
        {hasFailed(call) && <OutputBlocks row={row} call={call} />}
      </OpenedBlock>
    );
  });
}

/** Facts beside a path take its room down to these many characters, and never leave a gap behind a shorter one. */
const MIN_PATH_CH = 14;

function pathRoom(path: string): { minWidth: string } {
  return { minWidth: `${Math.min(MIN_PATH_CH, path.length)}ch` };
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
    <OpenedCall
      row={row}
      facts={
        <>
          <span className="truncate font-mono" style={pathRoom(shortenPath(path, call.cwd))}>
            {shortenPath(path, call.cwd)}
          </span>
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
    </OpenedCall>
  );
}

/** LS: the folder's tree as it was printed. */
function ListView({ row, call }: ToolViewProps) {
  const { text } = resultText(call);
  const entries = listedEntries(text);
  const steps = useSteps("entries", entries.length, 200);
  const path = textField(call.input, "path");
  const failed = hasFailed(call);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          {path && <span className="truncate font-mono">{shortenPath(path, call.cwd)}</span>}
          {entries.length > 0 && <span>{formatPlural(entries.length, "entry", "entries")}</span>}
        </>
      }
      copy={{ label: "Copy list", text }}
    >
      {failed || entries.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          <ul className="py-1 font-mono text-code">
            {entries.slice(0, steps.shown).map(({ name, depth, folder }, index) => (
              <li key={index} className={`truncate px-3 leading-[22px] ${INDENTS[Math.min(depth, 6)]}`}>
                <span className={folder ? "text-fg-2" : ""}>
                  <VisibleText text={name} />
                </span>
              </li>
            ))}
          </ul>
          <ShowMore steps={steps} unit="entries" />
        </>
      )}
    </OpenedCall>
  );
}

const INDENTS = ["", "pl-7", "pl-11", "pl-15", "pl-19", "pl-23", "pl-27"];

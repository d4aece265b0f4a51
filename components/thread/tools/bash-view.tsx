import { cx } from "@/lib/client/class-names";
import { formatBytes } from "@/lib/text/format-bytes";
import { shortenHome } from "@/lib/text/split-path";
import { CodeBlock } from "../code/code-block";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { LaterOutput } from "./later-output";
import { OutputBlocks } from "./output-blocks";
import { plainOutput } from "./plain-output";
import { SectionLine } from "./section-line";
import { fieldsOf, resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** A command and what it printed. stderr is in the output: every client version merges the two. */
export function BashView({ row, call }: ToolViewProps) {
  const command = textField(call.input, "command");
  const description = textField(call.input, "description");
  const output = resultText(call);
  const isKept = call.results.some(({ blocks }) =>
    blocks.some((block) => block.kind === "blob" && block.blob.kind === "output"),
  );
  const printed = plainOutput(output.text, isKept);
  const hasMedia = call.results.some(({ blocks }) => blocks.some(({ kind }) => kind !== "text"));
  const [result] = call.results;
  const task = textField(result?.structured, "backgroundTaskId") ?? textField(result?.structured, "shellId");
  const asked = fieldsOf(call.input).run_in_background === true;
  const exit =
    row.state === "error" || row.state === "running" || result === undefined ? null : exitWords(row);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {exit && <span>{exit}</span>}
          {call.cwd && <span className={task ? "max-sm:hidden" : undefined}>{shortenHome(call.cwd)}</span>}
          {task && (
            <span className="flex-none">
              {asked ? "in" : "moved to"} the background<span className="max-sm:hidden"> as {task}</span>
            </span>
          )}
          {description && (
            <span className="truncate text-fg-3 max-sm:hidden">
              <VisibleText text={description} />
            </span>
          )}
        </>
      }
      actions={
        printed !== "" && (
          <span className={cx("flex-none", task && "max-sm:hidden")}>
            output {formatBytes(printed === output.text ? output.length : printed.length)}
          </span>
        )
      }
      copy={{ label: "Copy output", text: printed }}
      wrappable
    >
      {command !== null && (
        <div className="border-b border-line bg-panel">
          <CodeBlock text={command} firstLine={null} language="bash" />
        </div>
      )}
      {call.results.length > 0 && printed === "" && <SectionLine>no output</SectionLine>}
      {(printed !== "" || hasMedia || call.results.length === 0) && (
        <OutputBlocks
          row={row}
          call={call}
          errorsRed={false}
          plain={(text) => plainOutput(text, isKept)}
          only={printed === "" && call.results.length > 0 ? "media" : "all"}
        />
      )}
      <LaterOutput call={call} />
    </OpenedBlock>
  );
}

/** A command that did not fail ended with 0, but for one that went on in the background. */
function exitWords({ state, result }: ToolViewProps["row"]): string | null {
  return state === "ok" && !/background · /.test(result ?? "") ? "exit 0" : null;
}

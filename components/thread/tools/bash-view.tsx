import { CodeBlock } from "@/components/content/code/code-block";
import { fieldsOf, resultText, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { cx } from "@/lib/client/class-names";
import { formatBytes } from "@/lib/format/format-bytes";
import { shortenHome } from "@/lib/format/split-path";
import { OpenedBlock } from "../opened-block";
import { LaterOutput } from "./later-output";
import { OutputBlocks } from "./output-blocks";
import { plainOutput } from "./plain-output";

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

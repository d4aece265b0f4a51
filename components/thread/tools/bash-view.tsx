import { formatBytes } from "@/lib/text/format-bytes";
import { shortenHome } from "@/lib/text/split-path";
import { CodeBlock } from "../code/code-block";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { SectionLine } from "./section-line";
import { resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** A command and what it printed. stderr is in the output: every client version merges the two. */
export function BashView({ row, call }: ToolViewProps) {
  const command = textField(call.input, "command");
  const description = textField(call.input, "description");
  const output = resultText(call);
  const [result] = call.results;
  const task = textField(result?.structured, "backgroundTaskId");
  const exit =
    row.state === "error" || row.state === "running" || result === undefined ? null : exitWords(row);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {exit && <span>{exit}</span>}
          {call.cwd && <span>{shortenHome(call.cwd)}</span>}
          {task && <span>in the background as {task}</span>}
          {description && (
            <span className="truncate text-fg-3">
              <VisibleText text={description} />
            </span>
          )}
        </>
      }
      actions={output.length > 0 && <span>output {formatBytes(output.length)}</span>}
      copy={{ label: "Copy output", text: output.text }}
      wrappable
    >
      {command !== null && (
        <div className="border-b border-line bg-panel">
          <CodeBlock text={command} firstLine={null} language="bash" />
        </div>
      )}
      {call.results.length > 0 && output.length === 0 && <SectionLine>no output</SectionLine>}
      <OutputBlocks row={row} call={call} errorsRed={false} />
    </OpenedBlock>
  );
}

/** A command that did not fail ended with 0, but for one that went on in the background. */
function exitWords({ state, result }: ToolViewProps["row"]): string | null {
  return state === "ok" && !result?.startsWith("background") ? "exit 0" : null;
}

import { formatBytes } from "@/lib/text/format-bytes";
import { shortenHome } from "@/lib/text/split-path";
import { CodeBlock } from "../code/code-block";
import { OpenedBlock } from "../opened-block";
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
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {call.cwd && <span>{shortenHome(call.cwd)}</span>}
          {task && <span>in the background as {task}</span>}
          {description && <span className="truncate text-fg-3">{description}</span>}
        </>
      }
      actions={output.length > 0 && <span>output {formatBytes(output.length)}</span>}
      copy={{ label: "Copy output", text: output.text }}
      wrappable
    >
      {command !== null && needsRoom(command, row.subject) && (
        <div className="border-b border-line bg-panel">
          <CodeBlock text={command} firstLine={null} language="bash" />
        </div>
      )}
      {call.results.length === 0 && <SectionLine>no result in the log</SectionLine>}
      {call.results.length > 0 && output.length === 0 && <SectionLine>no output</SectionLine>}
      <OutputBlocks row={row} call={call} errorsRed={false} />
    </OpenedBlock>
  );
}

/** The row has the command already, unless it has more lines or was cut. */
function needsRoom(command: string, subject: string): boolean {
  return command.length > 100 || command.includes("\n") || command.trim() !== subject.trim();
}

import { formatBytes } from "@/lib/text/format-bytes";
import { CodeBlock } from "../code/code-block";
import { OutputText } from "../code/output-text";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { SectionLine } from "./section-line";
import { readTaskOutput } from "./task-output";
import { textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** BashOutput, TaskOutput: what a background task had printed since it was last asked. */
export function TaskOutputView({ row, call }: ToolViewProps) {
  const output = readTaskOutput(call);
  const id = textField(call.input, "bash_id") ?? textField(call.input, "task_id") ?? row.subject;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="font-mono">{id}</span>
          {output?.status && <span>{output.status.replace(/_/g, " ")}</span>}
          {output?.exitCode != null && (
            <span className={output.exitCode === 0 ? "" : "font-semibold text-err"}>
              exit {output.exitCode}
            </span>
          )}
          {output?.about && (
            <span className="truncate text-fg-3">
              <VisibleText text={output.about} />
            </span>
          )}
        </>
      }
      actions={output && <span>output {formatBytes(output.text.length)}</span>}
      copy={{ label: "Copy output", text: output?.text ?? "" }}
      wrappable
    >
      {output === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          {output.command && (
            <div className="border-b border-line bg-panel">
              <CodeBlock text={output.command} firstLine={null} language="bash" />
            </div>
          )}
          {output.text === "" ? (
            <SectionLine>no new output</SectionLine>
          ) : (
            <OutputText text={output.text} isError={false} />
          )}
          {output.errors && (
            <>
              <SectionLine>stderr</SectionLine>
              <OutputText text={output.errors} isError />
            </>
          )}
        </>
      )}
    </OpenedBlock>
  );
}

import { CodeBlock } from "@/components/content/code/code-block";
import { OutputText } from "@/components/content/code/output-text";
import { textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatBytes } from "@/lib/format/format-bytes";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { readTaskOutput } from "./task-output";

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

import { CodeBlock } from "@/components/content/code/code-block";
import { fieldsOf, numberField, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatDuration } from "@/lib/format/format-duration";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** A command that is watched while the session goes on; each line it prints comes as a notification. */
export function MonitorView({ row, call }: ToolViewProps) {
  const command = textField(call.input, "command") ?? "";
  const description = textField(call.input, "description");
  const structured = call.results[0]?.structured;
  const task = textField(structured, "taskId");
  const timeoutMs = numberField(structured, "timeoutMs") ?? numberField(call.input, "timeout_ms");
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {task && <span className="font-mono">{task}</span>}
          {fieldsOf(structured).persistent === true ? (
            <span>watched until it is stopped</span>
          ) : (
            timeoutMs !== null && <span>watched for {formatDuration(timeoutMs)}</span>
          )}
          {description && (
            <span className="truncate text-fg-3">
              <VisibleText text={description} />
            </span>
          )}
        </>
      }
      copy={{ label: "Copy command", text: command }}
      wrappable
    >
      {command && <CodeBlock text={command} firstLine={null} language="bash" />}
      {task === null && <OutputBlocks row={row} call={call} />}
      {task !== null && (
        <p className="border-t border-line px-3 py-1 text-12 text-fg-3">
          What it prints is told in the rows below, as notifications.
        </p>
      )}
    </OpenedBlock>
  );
}

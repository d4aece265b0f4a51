import { formatDuration } from "@/lib/text/format-duration";
import { CodeBlock } from "../code/code-block";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { fieldsOf, numberField, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

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

import { CodeBlock } from "@/components/content/code/code-block";
import { resultText, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { stoppedTask } from "./stopped-task";
import { jsonIn } from "./tool-json";

const TYPES = new Map([
  ["local_bash", "a command"],
  ["local_agent", "an agent"],
  ["local_workflow", "a workflow"],
]);

/** KillShell, TaskStop: which task was stopped, and what it was. */
export function StopView({ row, call }: ToolViewProps) {
  const [result] = call.results;
  // An agent's line has no structured twin from 2.1.29 on; its text is the same JSON.
  const stopped = textField(result?.structured, "message")
    ? result?.structured
    : jsonIn(resultText(call).text);
  const id = textField(call.input, "shell_id") ?? textField(call.input, "task_id") ?? row.subject;
  const type = textField(stopped, "task_type");
  const message = textField(stopped, "message") ?? "";
  const task = stoppedTask(stopped);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="font-mono">
            <VisibleText text={id} />
          </span>
          {stopped && <span>stopped{type && `, ${TYPES.get(type) ?? type}`}</span>}
        </>
      }
      copy={{ label: task?.isCommand ? "Copy command" : "Copy message", text: task?.text ?? message }}
      wrappable
    >
      {stopped === null || stopped === undefined ? (
        <OutputBlocks row={row} call={call} />
      ) : task?.isCommand ? (
        <CodeBlock text={task.text} firstLine={null} language="bash" />
      ) : (
        <p className="px-3 py-1 text-12 text-fg-2">
          <VisibleText text={task?.text ?? message} />
        </p>
      )}
    </OpenedBlock>
  );
}

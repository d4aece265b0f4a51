import { fieldsOf, listField, resultText, textField } from "@/components/content/log-values";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { TaskLine, type TaskLineFacts, taskState } from "./task-line";

/** TaskList: all tasks as they were when it was asked. */
export function TaskListView({ row, call }: ToolViewProps) {
  const tasks = readTasks(call);
  const done = tasks.filter(({ state }) => state === "done").length;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>{formatPlural(tasks.length, "task")}</span>
          <span>{done} done</span>
        </>
      }
      copy={{ label: "Copy list", text: resultText(call).text }}
    >
      {tasks.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <ul className="py-1">
          {tasks.map((task, index) => (
            <TaskLine key={index} {...task} />
          ))}
        </ul>
      )}
    </OpenedBlock>
  );
}

/** Lines of an agent have the text alone from 2.1.29 on: `#1 [completed] Read the code`. */
function readTasks(call: ToolViewProps["call"]): TaskLineFacts[] {
  const listed = listField(call.results[0]?.structured, "tasks");
  if (listed.length > 0) {
    return listed.map((task) => ({
      id: textField(task, "id"),
      text: textField(task, "subject") ?? "",
      state: taskState(textField(task, "status")),
      note: blockedWords(fieldsOf(task).blockedBy),
      changed: false,
    }));
  }
  return resultText(call)
    .text.split("\n")
    .flatMap((line) => {
      const [, id, status, text] = /^#(\S+) \[(\w+)\] (.*)$/.exec(line) ?? [];
      return id && status
        ? [{ id, text: text ?? "", state: taskState(status), note: null, changed: false }]
        : [];
    });
}

function blockedWords(ids: unknown): string | null {
  return Array.isArray(ids) && ids.length > 0
    ? `after ${ids.map((id) => `#${String(id)}`).join(", ")}`
    : null;
}
